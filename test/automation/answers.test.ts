import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { download } from '../support/files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { specimenOperations } from '../support/specimen-operations.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer(
  '1.7 answers',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    const file = (id: string, body: object, headers: { [name: string]: string } = {}) =>
      download(server, `api/v1/automation/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })

    describe('scalars', () => {
      const scalars: [sent: string, shown: string][] = [
        ['true', '{"entity-type":"boolean","value":true}'],
        ['false', '{"entity-type":"boolean","value":false}'],
        ['"hello"', '{"entity-type":"string","value":"hello"}'],
        ['""', '{"entity-type":"string","value":""}'],
        ['1', '{"entity-type":"number","value":1}'],
        ['-17', '{"entity-type":"number","value":-17}'],
        ['1000000000000000000', '{"entity-type":"number","value":1000000000000000000}'],
        ['9007199254740993', '{"entity-type":"number","value":9007199254740993}'],
        ['1.1', '{"entity-type":"number","value":1.1}'],
        [
          '{"entity-type":"date","value":"2026-01-31T10:20:30.000Z"}',
          '{"entity-type":"date","value":"2026-01-31T10:20:30.000Z"}',
        ],
        [
          '{"entity-type":"date","value":"2026-01-31T11:20:30+01:00"}',
          '{"entity-type":"date","value":"2026-01-31T10:20:30.000Z"}',
        ],
        ['{"entity-type":"number","value":3}', '{"entity-type":"number","value":3}'],
        ['{"entity-type":"number","value":" 9007199254740993 "}', '{"entity-type":"number","value":9007199254740993}'],
        ['{"entity-type":"string","value":5}', '{"entity-type":"string","value":"5"}'],
        ['{"entity-type":"boolean","value":"TRUE"}', '{"entity-type":"boolean","value":true}'],
        ['{"entity-type":"orderedMap","value":{"z":1,"a":2}}', '{"entity-type":"orderedMap","value":{"z":1,"a":2}}'],
        ['[1,"a",null,[true]]', '{"entity-type":"list","value":[1,"a",null,[true]]}'],
        ['[]', '{"entity-type":"list","value":[]}'],
        ['{"b":1,"a":{"c":null}}', '{"entity-type":"map","value":{"b":1,"a":{"c":null}}}'],
        ['{"big":[1000000000000000001]}', '{"entity-type":"map","value":{"big":[1000000000000000001]}}'],
      ]
      for (const [sent, shown] of scalars) {
        test(`${sent} comes back as ${shown}`, async () => {
          const answer = await server.as('Administrator').post('/automation/Specimen.Echo', `{"input":${sent}}`)
          assert.equal(answer.status, 200)
          assert.equal(answer.text, shown)
          assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
        })
      }

      for (const [sent, message] of [
        ['{"entity-type":"date","value":"zzz"}', /"zzz" cannot be read as a date/],
        ['{"entity-type":"number","value":"abc"}', /"abc" cannot be read as a number/],
        ['{"entity-type":"boolean","value":["true"]}', /\["true"\] cannot be read as a boolean/],
        ['{"entity-type":"string","value":{}}', /\{\} cannot be read as a string/],
        ['{"entity-type":"list","value":"a"}', /"a" cannot be read as a list/],
        ['{"entity-type":"map","value":[]}', /\[\] cannot be read as a map/],
        ['1e400', /larger than 1.8e308 cannot be read as a number/],
      ] as const) {
        test(`${sent} is refused`, async () => {
          const { status, body } = await server.as('Administrator').post('/automation/Specimen.Echo', `{"input":${sent}}`)
          assert.equal(status, 400)
          assert.match(body.message, message)
        })
      }

      test('a date that an operation gives', async () => {
        const { text } = await call('Specimen.Date', { params: { at: '2026-01-31T10:20:30Z' } })
        assert.equal(text, '{"entity-type":"date","value":"2026-01-31T10:20:30.000Z"}')
      })
    })

    describe('nothing', () => {
      test('is 204 without a body', async () => {
        const { status, text } = await call('Specimen.Echo')
        assert.deepEqual([status, text], [204, ''])
      })

      test('a null input is no input', async () => {
        assert.equal((await call('Specimen.Echo', { input: null })).status, 204)
      })

      test('acceptance 1: Log without input gives 204', async () => {
        const { status, text } = await call('Log', { params: { level: 'info', message: 'hello' } })
        assert.deepEqual([status, text], [204, ''])
      })

      test('an operation that looks at no input and gives nothing passes its input on', async () => {
        const { status, body } = await call('Log', { input: '/default-domain', params: { level: 'info', message: 'hello' } })
        assert.deepEqual([status, body.value], [200, '/default-domain'])
        const passed = await call('Log', { input: 'doc:/default-domain', params: { level: 'info', message: 'hello' } })
        assert.deepEqual([passed.status, passed.body['entity-type'], passed.body.path], [200, 'document', '/default-domain'])
      })

      test('an operation that takes a document and gives nothing answers 204', async () => {
        assert.equal((await call('Specimen.Swallow', { input: '/default-domain' })).status, 204)
      })

      test('X-NXVoidOperation: true gives 204 whatever the operation gives, other texts do not', async () => {
        const request = { params: { value: '/default-domain' } }
        const { status, text } = await call('Document.Fetch', request, { 'X-NXVoidOperation': 'true' })
        assert.deepEqual([status, text], [204, ''])
        assert.equal((await call('Document.Fetch', request, { 'X-NXVoidOperation': 'TRUE' })).status, 200)
        assert.equal((await call('Specimen.Json', {}, { 'X-NXVoidOperation': 'true' })).status, 204)
      })
    })

    describe('documents', () => {
      test('one is a document entity', async () => {
        const { status, body, headers } = await call('Document.Fetch', { params: { value: '/default-domain' } })
        assert.deepEqual([status, body['entity-type'], body.path], [200, 'document', '/default-domain'])
        assert.match(headers.get('content-type') ?? '', /entity=document/)
      })

      test('a list is a documents entity without a page', async () => {
        const { body } = await call('Specimen.Echo', { input: 'docs:/default-domain, /default-domain/workspaces' })
        assert.equal(body['entity-type'], 'documents')
        assert.deepEqual(
          body.entries.map(({ path }: { path: string }) => path),
          ['/default-domain', '/default-domain/workspaces'],
        )
        assert.equal('isPaginable' in body, false)
      })

      test('an empty list is a documents entity with no entries', async () => {
        const { status, body } = await call('Specimen.Echo', { input: 'docs:' })
        assert.deepEqual([status, body['entity-type'], body.entries], [200, 'documents', []])
      })

      test('properties are shown as the headers, the query or documentProperties ask', async () => {
        const { uid } = await bench.create('Note', { 'dc:title': 'shown', 'note:note': 'text' })
        const request = { params: { value: uid } }
        const asked = await call('Document.Fetch', request, { 'X-NXDocumentProperties': 'dublincore,note' })
        assert.deepEqual([asked.body.properties['dc:title'], asked.body.properties['note:note']], ['shown', 'text'])
        const inQuery = await server.as('Administrator').post('/automation/Document.Fetch?properties=*', request)
        assert.equal(inQuery.body.properties['note:note'], 'text')
        const inBody = await server
          .as('Administrator')
          .post('/automation/Document.Fetch', { ...request, documentProperties: 'note' })
        assert.deepEqual(
          Object.keys(inBody.body.properties).filter((name) => !name.startsWith('note:')),
          [],
        )
        assert.equal(inBody.body.properties['note:note'], 'text')
        assert.equal((await call('Document.Fetch', request)).body.properties, undefined)
      })

      test('acceptance 16: enrichers apply, and without the header there are no contextParameters', async () => {
        const request = { params: { value: '/default-domain/workspaces' } }
        const { body } = await call('Document.Fetch', request, { 'X-NXenrichers.document': 'breadcrumb' })
        assert.equal(body.contextParameters.breadcrumb['entity-type'], 'documents')
        assert.equal('contextParameters' in (await call('Document.Fetch', request)).body, false)
      })
    })

    describe('files', () => {
      test('one is a download with its name, length and tag', async () => {
        const { status, headers, text } = await file('Specimen.Json', {})
        assert.deepEqual([status, text], [200, '[{"a":1}]'])
        assert.match(headers.get('content-type') ?? '', /^application\/json/)
        assert.equal(headers.get('content-length'), '9')
        assert.match(headers.get('content-disposition') ?? '', /^attachment; filename=json$/)
        assert.match(headers.get('etag') ?? '', /^"[0-9a-f]{32}"$/)
      })

      test('a range of it can be asked for', async () => {
        const { status, headers, text } = await file('Specimen.Json', {}, { range: 'bytes=2-4' })
        assert.deepEqual([status, headers.get('content-range'), text], [206, 'bytes 2-4/9', '"a"'])
      })

      test('several are multipart/mixed with a quoted boundary', async () => {
        const { status, headers, text } = await file('Specimen.Blobs', { params: { texts: ['één', 'two'], name: 'ü 1.txt' } })
        assert.equal(status, 200)
        const [, boundary = ''] = /^multipart\/mixed; boundary="([^"]+)"$/.exec(headers.get('content-type') ?? '') ?? []
        const parts = text.split(`--${boundary}`)
        assert.equal(parts.length, 4)
        assert.equal(parts.at(-1)?.trim(), '--')
        assert.match(parts[1] ?? '', /Content-Type: text\/plain;charset=UTF-8\r\n/)
        assert.match(parts[1] ?? '', /Content-Disposition: attachment; filename\*=UTF-8''%C3%BC%201\.txt\r\n/)
        assert.match(parts[1] ?? '', /\r\n\r\néén\r\n$/)
        assert.match(parts[2] ?? '', /\r\n\r\ntwo\r\n$/)
        assert.equal(Number(headers.get('content-length')), Buffer.byteLength(text))
      })

      test('none is 204 with a content type that says so', async () => {
        const { status, headers, text } = await file('Specimen.Blobs', {})
        assert.deepEqual([status, headers.get('content-type'), text], [204, 'application/platform-empty-list', ''])
      })
    })

    describe('other values', () => {
      test('users are a users entity', async () => {
        const { status, body } = await call('Specimen.Users', { params: { names: ['Administrator', 'nobody'] } })
        assert.deepEqual([status, body['entity-type']], [200, 'users'])
        assert.deepEqual(
          body.entries.map((one: { 'entity-type': string; id: string }) => [one['entity-type'], one.id]),
          [['user', 'Administrator']],
        )
      })

      test('rows are a recordSet with its page', async () => {
        const { body } = await call('Specimen.Rows')
        assert.deepEqual(
          [body['entity-type'], body.currentPageSize, body.entries],
          ['recordSet', 1, [{ 'dc:title': 'A', 'ecm:uuid': 'x' }]],
        )
      })

      test('a business object stands in its type', async () => {
        const { text } = await call('Specimen.Shaped')
        assert.equal(text, '{"entity-type":"Invoice","value":{"number":7}}')
      })

      test('an entity of a client goes back as it came, and its type never becomes a header', async () => {
        const sent = { 'entity-type': 'user\r\nX-Evil: 1', id: 'x' }
        const { status, body, headers } = await call('Specimen.Echo', { input: sent })
        assert.deepEqual([status, body, headers.get('x-evil')], [200, sent, null])
      })
    })

    describe('another status', () => {
      test('is that of the answer when all goes well', async () => {
        const { status, body } = await call('Specimen.Status', { input: 'x', params: { status: 206 } })
        assert.deepEqual([status, body.value], [206, 'x'])
      })

      test('does not count for files', async () => {
        const form = new FormData()
        form.set('params', new Blob(['{"params":{"status":206}}'], { type: 'application/json' }))
        form.set('input', new Blob(['x']), 'x.txt')
        const { status } = await download(server, 'api/v1/automation/Specimen.Status', { method: 'POST', body: form })
        assert.equal(status, 200)
      })
    })
  },
  { plugins: [specimenOperations] },
)
