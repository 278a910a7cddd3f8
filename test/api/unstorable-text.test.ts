import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const lookAlike = '\ufffd'

/** What no text in the store holds, as it stands in an address and in JSON. */
const unstorable: readonly [what: string, encoded: string, text: string][] = [
  ['half of a surrogate pair', '%ed%a0%80', '\ud800'],
  ['its other half', '%ed%b0%80', '\udc00'],
  ['U+0000', '%00', '\0'],
]

onEachServer('text that cannot be stored', (server) => {
  const bench = workbenchOn(server)
  const administrator = () => server.as('Administrator')
  const call = operationsOn(server)
  let folder = ''
  before(async () => {
    folder = (await bench.create('Folder', {}, { name: lookAlike })).uid
    await bench.create('File', {}, { name: lookAlike, parent: `/default-domain/workspaces/${lookAlike}` })
    await bench.create('File', {}, { name: 'cut', parent: `/default-domain/workspaces/${lookAlike}` })
  })

  for (const [what, encoded, text] of unstorable) {
    describe(`such as ${what} is in no name, and is not taken for another`, () => {
      const addresses: readonly [where: string, path: () => string][] = [
        ['in a path', () => `/path/default-domain/workspaces/${encoded}`],
        ['at the end of a path', () => `/path/default-domain/workspaces/${lookAlike}/cut${encoded}`],
        ['in the middle of a path', () => `/path/default-domain/workspaces/${encoded}/cut`],
        ['below an id', () => `/id/${folder}/${encoded}`],
        ['for an id', () => `/id/${encoded}`],
        ['behind an id', () => `/id/${folder}${encoded}`],
        ['among ids', () => `/bulk;id=${folder};id=${encoded}`],
        ['for a user', () => `/user/${encoded}`],
        ['for a group', () => `/group/${encoded}`],
        ['for an entry', () => `/directory/nature/${encoded}`],
        ['for a batch', () => `/upload/${encoded}`],
        ['for a saved search', () => `/search/saved/${encoded}`],
        ['for a bulk action', () => `/bulk/${encoded}`],
      ]
      for (const [where, path] of addresses) {
        test(`${where}: 404`, async () => {
          assert.equal((await administrator().get(path())).status, 404)
        })
      }

      test('in the path of a parent: 404', async () => {
        const parent = `/path/default-domain/workspaces/${encoded}`
        const answer = await administrator().post(parent, { 'entity-type': 'document', type: 'File', name: 'never' })
        assert.equal(answer.status, 404)
      })

      const path = `/default-domain/workspaces/${text}`
      for (const [operation, body] of [
        ['Repository.GetDocument', () => ({ params: { value: path } })],
        ['Document.GetChild', () => ({ input: folder, params: { name: text } })],
        ['Document.Lock', () => ({ input: `docs:${path}` })],
      ] as const) {
        test(`in what ${operation} is to work on: 404`, async () => {
          const answer = await call(operation, body())
          assert.equal(answer.status, 404, answer.text)
        })
      }

      test('in a query: nothing is found', async () => {
        for (const condition of [`ecm:name = '${text}'`, `ecm:path = '${path}'`, `ecm:path STARTSWITH '${path}'`]) {
          const { status, body } = await call('Repository.Query', {
            params: { query: `SELECT * FROM Document WHERE ${condition}` },
          })
          assert.deepEqual([status, body.entries], [200, []], condition)
        }
      })
    })
  }
})
