import assert from 'node:assert/strict'
import { before, mock, test } from 'node:test'
import type { AnswerBody } from '../../src/testing.ts'
import { addGroup } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'

const names = Array.from({ length: 30 }, (_, number) => `lister-${String(number).padStart(2, '0')}`)
const lookups = ['generation', 'find', 'findAll', 'listSources', 'listAllSources', 'mapSources'] as const

onEachServer('a list of users', (server) => {
  const admin = () => server.as('Administrator')
  let folder = ''

  before(async () => {
    await addGroup(server, 'region', { label: 'Region' })
    for (const number of [0, 1, 2]) await addGroup(server, `team-${number}`, { label: `Team ${number}` })
    await server.asSystem(async ({ tx: { directories } }) => {
      await directories.replaceTargets('subGroups', 'region', ['team-0', 'team-1'])
    })
    for (const [number, name] of names.entries()) await server.addUser(name, ['members', `team-${number % 3}`])
    folder = await createDocuments()
  })

  async function createDocuments(): Promise<string> {
    const parent = await admin().post('/path/default-domain/workspaces', aDocument('Folder', 'listed', {}))
    for (const [number, name] of names.entries()) {
      const contributors = [name, names[number - 1] ?? 'nobody']
      const { status, text } = await admin().post(
        `/id/${parent.body.uid}`,
        aDocument('File', name, { 'dc:contributors': contributors }),
      )
      assert.equal(status, 201, text)
    }
    return parent.body.uid
  }

  const lists: { readonly [what: string]: () => Promise<readonly AnswerBody[]> } = {
    'of a search': async () => (await admin().get('/user/search?q=lister')).body.entries,
    'of the members of a group': async () => (await admin().get('/group/members/@users')).body.entries,
    'that documents refer to': async () => {
      const headers = { properties: 'dublincore', 'fetch.document': 'dc:contributors' }
      const { body } = await admin().get(`/id/${folder}/@children?sortBy=ecm:name&sortOrder=asc`, headers)
      return body.entries.map((document: AnswerBody) =>
        document.properties['dc:contributors'].find((one: AnswerBody) => one.id === document.title),
      )
    },
  }

  for (const [what, read] of Object.entries(lists)) {
    test(`${what} shows each as it is shown alone`, async () => {
      const alone = await Promise.all(names.map(async (name) => (await admin().get(`/user/${name}`)).body))
      assert.deepEqual(
        alone.slice(0, 3).map((user) => user.extendedGroups.map((group: AnswerBody) => group.label)),
        [
          ['Members group', 'Team 0', 'Region'],
          ['Members group', 'Team 1', 'Region'],
          ['Members group', 'Team 2'],
        ],
      )
      assert.deepEqual(await read(), alone)
    })

    test(`${what} costs no more look-ups when there are many`, async () => {
      await server.asSystem(({ tx }) => tx.directories.lock())
      const { directories } = server.services.directories.store.reader
      const watched = lookups.map((name) => mock.method(directories, name))
      try {
        assert.equal((await read()).length, names.length)
        const calls = watched.reduce((sum, one) => sum + one.mock.callCount(), 0)
        assert.ok(calls <= 15, `${calls} look-ups`)
      } finally {
        for (const one of watched) one.mock.restore()
      }
    })
  }
})

function aDocument(type: string, name: string, properties: object): object {
  return { 'entity-type': 'document', type, name, properties: { 'dc:title': name, ...properties } }
}
