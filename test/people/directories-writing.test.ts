import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AnswerBody } from '../../src/testing.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

const entry = (properties: unknown, more: object = {}) => ({ 'entity-type': 'directoryEntry', properties, ...more })

onEachServer('writing entries', (server) => {
  before(async () => {
    await server.addUser('bob')
    await server.addUser('pat', ['powerusers'])
  })
  const admin = () => server.as('Administrator')
  const stored = async (directory: string, id: string): Promise<AnswerBody> =>
    (await admin().get(`/directory/${directory}/${id}`)).body?.properties
  const create = (properties: object, directory = 'nature') => admin().post(`/directory/${directory}`, entry(properties))

  describe('to create one', () => {
    test('answers 201 with the entry, in which what was not sent has its default', async () => {
      const body = entry({ id: 'poem', label: 'Poem' }, { directoryName: 'nature' })
      const answer = await server.as('pat').post('/directory/nature', body)
      assert.equal(answer.status, 201)
      const expected = { id: 'poem', label: 'Poem', obsolete: 0, ordering: 10_000_000 }
      assert.deepEqual(answer.body, {
        'entity-type': 'directoryEntry',
        directoryName: 'nature',
        id: 'poem',
        properties: expected,
      })
      assert.deepEqual(await stored('nature', 'poem'), expected)
    })

    test('takes the id from the properties only, and refuses to do without', async () => {
      for (const properties of [{}, { label: 'x' }, { id: null }, { id: '' }, { id: '  ' }])
        assertRefused(await admin().post('/directory/nature', entry(properties, { id: 'top' })), 400, 'Missing id')
      assertRefused(await admin().post('/directory/nature', { 'entity-type': 'directoryEntry' }), 400, 'Missing id')
      assert.equal(await stored('nature', 'top'), undefined)
    })

    test('refuses an id that is taken, and leaves the entry as it is', async () => {
      assertRefused(await create({ id: 'article', label: 'Other' }), 409, 'Entry with id article already exists')
      assert.equal((await stored('nature', 'article')).label, 'label.directories.nature.article')
    })

    test('gives one id to one of many who want it at once', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => create({ id: 'race', label: `Runner ${n}` })))
      const statuses = answers.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [201, ...Array.from({ length: 7 }, () => 409)])
    })

    test('ignores what the schema does not have', async () => {
      const answer = await create({ id: 'ballad', label: 'Ballad', displayLabel: 'x', constructor: 1, toString: [], parent: 'z' })
      assert.deepEqual(answer.body.properties, { id: 'ballad', label: 'Ballad', obsolete: 0, ordering: 10_000_000 })
    })

    test('refuses ids that no address can hold, that hold control characters or are too long', async () => {
      for (const id of [
        '..',
        '.',
        'a/../b',
        './a',
        '@acl',
        'a/@b',
        'a\u0000b',
        'tab\tbed',
        '\u007f',
        'x'.repeat(401),
        'x'.repeat(1_000_000),
      ])
        assertRefused(await create({ id, label: 'x' }), 400, /^The id ".*(Leave it out|at most 400)\.$/)
      assert.equal((await create({ id: 'ü'.repeat(400), label: 'long' })).status, 201)
      assert.equal((await admin().get(`/directory/nature/${encodeURIComponent('ü'.repeat(400))}`)).status, 200)
    })

    test('stores a long text whole and refuses one that cannot be stored', async () => {
      const label = 'ж'.repeat(200_000)
      assert.equal((await create({ id: 'longest', label })).status, 201)
      assert.equal((await stored('nature', 'longest')).label, label)
      assertRefused(await create({ id: 'nul', label: 'a\u0000b' }), 400, /cannot be stored/)
      assert.equal(await stored('nature', 'nul'), undefined)
    })
  })

  describe('with a body that is not one', () => {
    const bodies: readonly [what: string, body: unknown, message: RegExp][] = [
      ['nothing', undefined, /^Json does not contain an object/],
      ['a list', [], /^Json does not contain an object/],
      ['no entity type', { properties: { id: 'x' } }, /entity-type field/],
      [
        'another entity type',
        { 'entity-type': 'document', properties: { id: 'x' } },
        /Expected is directoryEntry but was document/,
      ],
      ['properties that are a list', entry([]), /^Json does not contain an object/],
      ['properties that are a text', entry('id'), /^Json does not contain an object/],
      [
        'another directory',
        entry({ id: 'x' }, { directoryName: 'country' }),
        /one of the directory country, but was sent to nature/,
      ],
      ['malformed JSON', '{"entity-type":', /./],
    ]
    for (const [what, body, message] of bodies) {
      test(`is refused: ${what}`, async () => {
        assertRefused(await admin().post('/directory/nature', body), 400, message)
        assertRefused(await admin().put('/directory/nature/article', body), 400, message)
        assert.equal(await stored('nature', 'x'), undefined)
      })
    }
  })

  describe('to change one', () => {
    test('answers 200 with the entry, of which only what was sent has changed', async () => {
      await create({ id: 'ode', label: 'Ode', ordering: 5 })
      const answer = await server.as('pat').put('/directory/nature/ode', entry({ label: 'Odes' }, { id: 'ode' }))
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body.properties, { id: 'ode', label: 'Odes', obsolete: 0, ordering: 5 })
      assert.deepEqual(await stored('nature', 'ode'), answer.body.properties)
      await admin().put('/directory/nature/ode', entry({ id: 'ode', obsolete: 1, label: null }))
      assert.deepEqual(await stored('nature', 'ode'), { id: 'ode', label: null, obsolete: 1, ordering: 5 })
    })

    test('finds it by the id of the entry or in its properties, and refuses to do without either', async () => {
      await create({ id: 'elegy', label: 'Elegy' })
      assert.equal((await admin().put('/directory/nature/elegy', entry({ id: 'elegy', label: 'A' }))).status, 200)
      assert.equal((await admin().put('/directory/nature/elegy', entry({ label: 'B' }, { id: 'elegy' }))).status, 200)
      assertRefused(await admin().put('/directory/nature/elegy', entry({ label: 'C' })), 400, 'Missing id')
      assertRefused(
        await admin().put('/directory/nature/elegy', entry({ id: null, label: 'C' }, { id: null })),
        400,
        'Missing id',
      )
      assert.equal((await stored('nature', 'elegy')).label, 'B')
    })

    test('never changes the id', async () => {
      await create({ id: 'epic', label: 'Epic' })
      const other = /^The entry has the id saga, but was sent to that of epic\. An id cannot be changed/
      assertRefused(await admin().put('/directory/nature/epic', entry({ id: 'saga', label: 'S' })), 400, other)
      assertRefused(await admin().put('/directory/nature/epic', entry({ label: 'S' }, { id: 'saga' })), 400, other)
      assertRefused(await admin().put('/directory/nature/epic', entry({ id: 'saga' }, { id: 'epic' })), 400, other)
      assert.equal((await stored('nature', 'epic')).label, 'Epic')
      assert.equal(await stored('nature', 'saga'), undefined)
    })

    test('is refused for an entry or a directory that is not there', async () => {
      assertRefused(await admin().put('/directory/nature/nothing', entry({ id: 'nothing' })), 404, 'Entry not found')
      assertRefused(await admin().put('/directory/nowhere/x', entry({ id: 'x' })), 404, 'Directory nowhere was not found')
    })

    test('loses nothing when several change different fields at once', async () => {
      await create({ id: 'shared', label: 'Shared' })
      const changes = [{ label: 'New' }, { obsolete: 1 }, { ordering: 7 }]
      const answers = await Promise.all(
        changes.map((change) => admin().put('/directory/nature/shared', entry({ id: 'shared', ...change }))),
      )
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      )
      assert.deepEqual(await stored('nature', 'shared'), { id: 'shared', label: 'New', obsolete: 1, ordering: 7 })
    })

    test('is found by its new label, and no longer by the old one', async () => {
      await create({ id: 'found', label: 'Zwölf' })
      await admin().put('/directory/nature/found', entry({ id: 'found', label: 'Ypsilon' }))
      assert.equal((await admin().get('/directory/nature?q=zw')).body.resultsCount, 0)
      assert.equal((await admin().get('/directory/nature?q=yps')).body.entries[0].id, 'found')
    })
  })

  describe('values', () => {
    test('are read as the field has them: numbers and booleans from text, text from numbers', async () => {
      const answer = await create({ id: 12, label: 7, obsolete: '1', ordering: '-3' })
      assert.deepEqual(answer.body.properties, { id: '12', label: '7', obsolete: 1, ordering: -3 })
      const token = (await create({ isShared: 'true', expirationTimeMilliseconds: '3600' }, 'oauth2Tokens')).body.properties
      assert.deepEqual([token.isShared, token.expirationTimeMilliseconds], [true, 3600])
    })

    test('of dates may have a T or a blank before the time', async () => {
      const dates = [
        ['2011-10-23T12:00:00.00Z', '2011-10-23T12:00:00.000Z'],
        ['2024-03-01 10:15:30', '2024-03-01T10:15:30.000Z'],
        ['2024-03-01T10:15:30+02:00', '2024-03-01T08:15:30.000Z'],
        ['2024-03-01', '2024-03-01T00:00:00.000Z'],
        ['', null],
        [null, null],
      ]
      for (const [creationDate, expected] of dates)
        assert.equal((await create({ creationDate }, 'oauth2Tokens')).body.properties.creationDate, expected)
    })

    test('that cannot be read are refused by field, with what it takes', async () => {
      const rows: readonly [properties: object, directory: string, message: string][] = [
        [
          { id: 'v', ordering: 'first' },
          'nature',
          'The property ordering of the directory nature takes a whole number, not "first".',
        ],
        [{ id: 'v', ordering: 1.5 }, 'nature', 'The property ordering of the directory nature takes a whole number, not 1.5.'],
        [
          { id: 'v', ordering: '9'.repeat(40) },
          'nature',
          `The property ordering of the directory nature takes a whole number, not "${'9'.repeat(40)}".`,
        ],
        [{ id: 'v', label: [] }, 'nature', 'The property label of the directory nature takes a text, not a list.'],
        [{ id: 'v', label: { a: 1 } }, 'nature', 'The property label of the directory nature takes a text, not an object.'],
        [{ id: { a: 1 } }, 'nature', 'The property id of the directory nature takes a text, not an object.'],
        [
          { creationDate: 'yesterday' },
          'oauth2Tokens',
          'The property creationDate of the directory oauth2Tokens takes a date such as 2024-03-01T10:15:30Z, not "yesterday".',
        ],
      ]
      for (const [properties, directory, message] of rows) assertRefused(await create(properties, directory), 400, message)
      assert.equal(await stored('nature', 'v'), undefined)
    })

    test('of a parent may be its id or the entry itself', async () => {
      const parent = (await admin().get('/directory/continent/asia')).body
      for (const [id, sent] of [
        ['Narnia', 'asia'],
        ['Oz', parent],
        ['Utopia', { id: 'asia' }],
      ] as const) {
        const answer = await create({ id, label: id, parent: sent }, 'country')
        assert.deepEqual([answer.status, answer.body.properties.parent], [201, 'asia'])
      }
      const fetched = (await admin().get('/directory/country/Oz?fetch.directoryEntry=parent')).body
      assert.equal((await admin().put('/directory/country/Oz', fetched)).body.properties.parent, 'asia')
      const shown = (await admin().put('/directory/country/Oz?fetch.directoryEntry=parent', fetched)).body
      assert.equal(shown.properties.parent.id, 'asia')
    })
  })

  describe('to delete one', () => {
    test('answers 204 without a body, and the entry is gone', async () => {
      await create({ id: 'gone', label: 'Gone' })
      const answer = await server.as('pat').delete('/directory/nature/gone')
      assert.deepEqual([answer.status, answer.text], [204, ''])
      assertRefused(await admin().get('/directory/nature/gone'), 404, 'Entry not found')
      assertRefused(await admin().delete('/directory/nature/gone'), 404, 'Entry not found')
      assert.equal((await create({ id: 'gone', label: 'Again' })).status, 201)
    })

    test('is refused for an entry or a directory that is not there', async () => {
      assertRefused(await admin().delete('/directory/nature/nothing'), 404, 'Entry not found')
      assertRefused(await admin().delete('/directory/nowhere/x'), 404, 'Directory nowhere was not found')
    })

    test('is refused while other entries have it as their parent', async () => {
      const referred = { continent: 'europe', topic: 'art', l10ncoverage: 'europe', l10nsubjects: 'art' }
      for (const [directory, id] of Object.entries(referred)) {
        assertRefused(
          await admin().delete(`/directory/${directory}/${id}`),
          409,
          'This entry is referenced in another vocabulary.',
        )
        assert.ok(await stored(directory, id))
      }
      assert.equal((await admin().delete('/directory/l10ncoverage/Portugal')).status, 204)
      await create({ id: 'mu', label: 'Mu' }, 'continent')
      await create({ id: 'Lemuria', label: 'Lemuria', parent: 'mu' }, 'country')
      assert.equal((await admin().delete('/directory/continent/mu')).status, 409)
      await admin().delete('/directory/country/Lemuria')
      assert.equal((await admin().delete('/directory/continent/mu')).status, 204)
    })

    test('leaves documents that hold its id as they are', async () => {
      await create({ id: 'haiku', label: 'Haiku' })
      const document = { 'entity-type': 'document', type: 'File', name: 'h', properties: { 'dc:nature': 'haiku' } }
      assert.equal((await admin().post('/path/', document)).status, 201)
      assert.equal((await admin().delete('/directory/nature/haiku')).status, 204)
      const shown = await admin().get('/path/h', { properties: '*' })
      assert.equal(shown.body.properties['dc:nature'], 'haiku')
    })

    test('is not needed to retire one: an obsolete entry is read, and valid for documents', async () => {
      await create({ id: 'telegram', label: 'Telegram', obsolete: 1 })
      assert.equal((await stored('nature', 'telegram')).obsolete, 1)
      const document = { 'entity-type': 'document', type: 'File', name: 't', properties: { 'dc:nature': 'telegram' } }
      assert.equal((await admin().post('/path/', document)).status, 201)
    })

    test('is possible for an entry that is its own parent', async () => {
      await create({ id: 'loop', label_en: 'Loop', parent: 'loop' }, 'l10ncoverage')
      assert.equal((await admin().delete('/directory/l10ncoverage/loop')).status, 204)
    })
  })

  test('answers other methods with 405', async () => {
    const rows = [
      ['POST', '/directory', 'HEAD, GET, OPTIONS'],
      ['PUT', '/directory/nature', 'HEAD, GET, POST, OPTIONS'],
      ['DELETE', '/directory/nature', 'HEAD, GET, POST, OPTIONS'],
      ['POST', '/directory/nature/article', 'HEAD, GET, PUT, DELETE, OPTIONS'],
    ] as const
    for (const [method, path, allowed] of rows) {
      const answer = await admin().call(method, `api/v1${path}`, { headers: { 'content-type': 'application/json' }, body: '{}' })
      assert.deepEqual(
        [answer.status, answer.headers.get('allow')?.split(', ').sort().join(', ')],
        [405, allowed.split(', ').sort().join(', ')],
      )
    }
  })
})
