import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { specimenOperations } from '../support/specimen-operations.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer(
  '1.8 a call that fails',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)

    type Failure = [what: string, id: string, body: object, status: number, message: RegExp]
    const failures: Failure[] = [
      ['acceptance 12: an unknown operation', 'Noop', {}, 404, /Noop/],
      [
        'acceptance 2: a child that is not there',
        'Document.GetChild',
        { input: '/default-domain', params: { name: 'Workspaces' } },
        404,
        /^Failed to invoke operation: Document\.GetChild, Failed to invoke operation Document\.GetChild, .*Workspaces$/,
      ],
      [
        'a missing parameter',
        'Document.GetChild',
        { input: '/default-domain' },
        400,
        /^Failed to invoke operation: Document\.GetChild, Failed to inject parameter 'name'\. Seems it is missing from the context\. Operation: Document\.GetChild$/,
      ],
      [
        'an input that nothing can be done with',
        'Document.GetChild',
        { input: 17, params: { name: 'x' } },
        400,
        /^Failed to invoke operation: Document\.GetChild, Cannot find any valid path in operation chain - no method found for operation 'Document\.GetChild' and for first input type '\w+'$/,
      ],
      ['an input that is not there', 'Document.Lock', { input: '/no/such' }, 404, /\/no\/such$/],
      ['a parameter that names no document', 'Document.Fetch', { params: { value: '/no/such' } }, 404, /\/no\/such$/],
      ...['', ' ', 'doc:', 'default:'].map(
        (value): Failure => [
          `an empty reference, ${JSON.stringify(value)}`,
          'Repository.GetDocument',
          { params: { value } },
          404,
          /, The parameter 'value' has an empty reference to a document\. Send its id or its path\.$/,
        ],
      ),
      [
        'an empty reference to a document that might be left out',
        'Document.Order',
        { input: '/default-domain', params: { before: '' } },
        404,
        /, The parameter 'before' has an empty reference to a document\./,
      ],
      [
        'an input that refers to nothing',
        'Document.Lock',
        { input: 'doc:' },
        404,
        /, What was sent has an empty reference to a document\./,
      ],
      [
        'a date that is none',
        'Specimen.Date',
        { params: { at: 'tomorrow' } },
        400,
        /Parameter 'at' must be of type date: .*tomorrow/,
      ],
      ['a number that is none', 'Specimen.Status', { params: { status: 'x' } }, 400, /must be of type int: A text "x" cannot/],
      ['a number that is empty', 'Specimen.Status', { params: { status: '' } }, 400, /: A text "" cannot be taken for a whole/],
      [
        'a text of megabytes for a number',
        'Specimen.Status',
        { params: { status: 'x'.repeat(1e6) } },
        400,
        /: A text "x{100}…" cannot be taken/,
      ],
      [
        'a list with nothing in it for documents',
        'Document.Lock',
        { input: [null] },
        400,
        /, Nothing cannot be taken for a document$/,
      ],
      ['a list of none for one document', 'Document.GetVersions', { input: [] }, 400, /, A list cannot be taken for a document$/],
      [
        'a problem of the operation, which has aliases',
        'Document.Fetch',
        { params: { value: 'not:such' } },
        404,
        /^Failed to invoke operation: Document\.Fetch, /,
      ],
      [
        'a property that does not exist',
        'Document.Update',
        { input: '/default-domain', params: { properties: { 'no:such': 'x' } } },
        400,
        /no:such/,
      ],
      [
        'a stale change token',
        'Document.Update',
        { input: '/default-domain', params: { properties: {}, changeToken: '9999-1234' } },
        409,
        /^Failed to invoke operation: Document\.Update, /,
      ],
      [
        'a status of its own',
        'Specimen.Fail',
        {},
        405,
        /^Failed to invoke operation: Specimen\.Fail, Failed to invoke operation Specimen\.Fail, Not with this specimen\.$/,
      ],
      [
        'a defect, of which nothing is told',
        'Specimen.Fail',
        { params: { how: 'broken' } },
        500,
        /^Failed to invoke operation: Specimen\.Fail$/,
      ],
    ]
    for (const [what, id, body, status, message] of failures) {
      test(`${what}: ${status}`, async () => {
        const answer = await call(id, body)
        assert.deepEqual([answer.status, answer.body['entity-type'], answer.body.status], [status, 'exception', status])
        assert.match(answer.body.message, message)
        assert.equal(answer.headers.get('content-type'), 'application/json')
        assert.equal('stacktrace' in answer.body, false)
      })
    }

    test('leaves nothing behind', async () => {
      const { uid } = await bench.create('Note', { 'dc:title': 'before', 'dc:description': 'whole' })
      const { status, body } = await call('specimenFailure', { input: uid })
      assert.equal(status, 405)
      assert.equal(
        body.message,
        'Failed to invoke operation: specimenFailure, Failed to invoke operation Specimen.Fail, Not with this specimen.',
      )
      const shown = await bench.readProperties(uid)
      assert.deepEqual([shown['dc:title'], shown['dc:description']], ['before', 'whole'])
    })

    test('for what is not valid answers with the report', async () => {
      const { uid } = await bench.create('Note', {})
      const params = { properties: { 'dc:subjects': ['no such subject'] } }
      const { status, body } = await call('Document.Update', { input: uid, params })
      assert.deepEqual([status, body['entity-type'], body.has_error], [400, 'validation_report', true])
    })

    describe('acceptance 22', () => {
      test('variables that are null break nothing', async () => {
        const { status, body } = await call('Specimen.Tell', { context: { text: null, other: null } })
        assert.deepEqual([status, body.value.text], [200, null])
      })

      test('a variable that is named like a parameter supplies it', async () => {
        const { body } = await call('Document.Fetch', { context: { value: '/default-domain' } })
        assert.equal(body.path, '/default-domain')
      })

      test('unknown parameters are ignored, and null is none', async () => {
        const { status, body } = await call('Specimen.Tell', { params: { unknown: 1, text: null } })
        assert.deepEqual([status, body.value.text], [200, null])
      })

      test('what is sent is never an expression', async () => {
        const { body } = await call('Specimen.Tell', { params: { text: 'expr:CurrentUser.name' }, context: { x: '@{1+1}' } })
        assert.equal(body.value.text, 'expr:CurrentUser.name')
      })
    })

    test('acceptance 29: an entity without uid reaches the operation as a document that was never stored', async () => {
      const input = { 'entity-type': 'document', type: 'Note', name: 'draft', properties: { 'dc:title': 'Draft' } }
      const { status, body } = await call('Specimen.Echo', { input }, { properties: 'dublincore' })
      assert.deepEqual([status, body['entity-type'], body.type, body.properties['dc:title']], [200, 'document', 'Note', 'Draft'])
    })

    test('acceptance 17: who locked a document is shown to who asks', async () => {
      const { uid } = await bench.create('Note', {})
      assert.equal((await call('Document.Lock', { input: uid })).status, 200)
      const { body } = await call('Document.Fetch', { params: { value: uid } }, { 'X-NXfetch.document': 'lock' })
      assert.equal(body.lockOwner, 'Administrator')
      assert.match(body.lockCreated, /^\d{4}-\d\d-\d\dT/)
    })
  },
  { plugins: [specimenOperations] },
)

onEachServer(
  '1.8 a failure',
  (server) => {
    test('shows its stack where the setting says so', async () => {
      const { body } = await operationsOn(server)('Noop')
      assert.equal(typeof body.stacktrace, 'string')
      assert.equal(typeof body.exception.className, 'string')
    })
  },
  { settings: { restStackEnable: true } },
)
