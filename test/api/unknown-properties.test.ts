import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Log, type LogFields, silentLog } from '../../src/base/log.ts'
import { operationsOn } from '../support/operations.ts'
import { aDocument, assertRefused, inFull } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const workspaces = '/default-domain/workspaces'
const refused = (names: string) =>
  `A File has no property ${names}. In development mode properties that would be ignored are refused.`

onEachServer(
  'in development mode a property that a document cannot hold',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    const post = (properties: object) => server.as('Administrator').post(`/path${workspaces}`, aDocument({ properties }))

    const rows: readonly [what: string, properties: { readonly [name: string]: unknown }, names: string][] = [
      ['is misspelt', { 'dc:titel': 'x' }, 'dc:titel'],
      ['has no prefix', { title: 'x', 'dc:title': 'x' }, 'title'],
      ['is of another type', { 'note:note': 'x' }, 'note:note'],
      [
        'is one of many',
        Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`a:${index}`, 1])),
        'a:0, a:1, a:2, a:3, a:4 and 2 more',
      ],
    ]
    for (const [what, properties, names] of rows) {
      test(`and that ${what} is refused by name, and nothing is stored`, async () => {
        assertRefused(await post({ 'dc:title': 'refused', ...properties }), 400, refused(names))
        const { uid } = await bench.create('File', { 'dc:title': 'kept' })
        const body = { 'entity-type': 'document', uid, properties: { 'dc:title': 'changed', ...properties } }
        assertRefused(await server.as('Administrator').put(`/id/${uid}`, body), 400, refused(names))
        assert.equal((await bench.read(uid, inFull)).properties['dc:title'], 'kept')
      })
    }

    test('is refused in the input of an operation too', async () => {
      const { uid } = await bench.create('File')
      const input = { 'entity-type': 'document', uid, properties: { 'dc:titel': 'x' } }
      assertRefused(
        await call('Document.Save', { input }),
        400,
        `Failed to invoke operation: Document.Save, ${refused('dc:titel')}`,
      )
    })

    test('is refused by name among the properties of an operation', async () => {
      const { uid } = await bench.create('File')
      const { status, body } = await call('Document.Update', { input: uid, params: { properties: { 'dc:titel': 'x' } } })
      assert.equal(status, 400)
      assert.match(body.message, /dc:titel/)
    })

    test('is never one that an answer shows: documents and proxies can be sent back as they came', async () => {
      const { uid } = await bench.create('File', { 'file:content': { data: 'x', name: 'a.txt' } })
      const proxy = requireStatus(
        200,
        await call('Document.CreateLiveProxy', { input: uid, params: { 'Destination Path': workspaces } }),
      )
      for (const id of [uid, proxy.uid]) {
        const shown = await bench.read(id, inFull)
        requireStatus(200, await server.as('Administrator').put(`/id/${id}`, shown))
      }
    })
  },
  { settings: { devMode: true } },
)

const warnings: LogFields[] = []
const log: Log = {
  ...silentLog,
  warn: (fields) => void (fields.event === 'properties.unknown' && warnings.push(fields)),
}

onEachServer(
  'otherwise a property that a document cannot hold',
  (server) => {
    const call = operationsOn(server)

    test('is ignored, and told to the log once with the first names', async () => {
      warnings.length = 0
      const properties = { 'dc:titel': 'x', ['y'.repeat(300)]: 1, 'dc:title': 'kept' }
      requireStatus(201, await server.as('Administrator').post(`/path${workspaces}`, aDocument({ properties })))
      assert.deepEqual(warnings, [{ event: 'properties.unknown', type: 'File', names: ['dc:titel', 'y'.repeat(100)], count: 2 }])
    })

    test('is told once of a call, however many documents it sends', async () => {
      const bench = workbenchOn(server)
      const sent = await Promise.all([bench.create('File'), bench.create('File')])
      warnings.length = 0
      const entries = sent.map(({ uid }) => ({ 'entity-type': 'document', uid, properties: { 'dc:titel': 'x' } }))
      requireStatus(200, await call('Document.Save', { input: { 'entity-type': 'documents', entries } }))
      assert.equal(warnings.length, 1)
    })
  },
  { log },
)
