import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessTo } from '../../src/core/access.ts'
import { userDirectory } from '../../src/core/directories/people.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { getOrCreateUserWorkspace } from '../../src/features/user-workspaces/index.ts'
import { createPrincipal } from '../../src/model/rights/principal.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus } from '../support/workbench.ts'

const { plugin, eventsOf } = createEventRecorder()

onEachServer(
  'a personal workspace',
  (server) => {
    const open = (user: string) => server.inSession(user, (session) => getOrCreateUserWorkspace(session, server.services))
    const read = async (path: string, user = 'Administrator') => server.as(user).get(`/path${path}`, { properties: 'dublincore' })

    test('is made when it is first asked for, and told of', async () => {
      await server.addUser('ann', ['members'])
      const events = await eventsOf(() => open('ann'))
      const created = events.filter(({ name }) => name === 'userWorkspaceCreated')
      assert.deepEqual(
        created.map(({ document }) => document.path),
        ['/default-domain/UserWorkspaces/ann'],
      )
      const again = await eventsOf(() => open('ann'))
      assert.deepEqual(again, [])
    })
    test('is below a root that says nothing of itself', async () => {
      await server.addUser('ben', ['members'])
      await open('ben')
      const root = requireStatus(200, await read('/default-domain/UserWorkspaces'))
      assert.deepEqual([root.type, root.title], ['UserWorkspacesRoot', 'UserWorkspaces'])
      assert.equal((await read('/default-domain/UserWorkspaces', 'ben')).status, 403)
    })
    test('belongs to its user alone', async () => {
      for (const user of ['cat', 'dan']) {
        await server.addUser(user, ['members'])
        await open(user)
      }
      const own = requireStatus(200, await read('/default-domain/UserWorkspaces/cat', 'cat'))
      assert.deepEqual([own.type, own.title, own.properties['dc:creator']], ['Workspace', 'cat', 'cat'])
      assert.equal((await read('/default-domain/UserWorkspaces/cat', 'dan')).status, 403)
    })
    test('is called by the names of its user', async () => {
      await server.addUser('ada')
      await server.services.directories.store.transact(async ({ directories }) => {
        const entry = await directories.find(userDirectory, 'ada')
        assert.ok(entry)
        await directories.update(userDirectory, { ...entry, values: { ...entry.values, firstName: 'Ada', lastName: 'Lovelace' } })
      })
      assert.equal((await open('ada')).properties['dc:title'], 'Ada Lovelace')
    })
    test('is not for those who have no account', async () => {
      const repository = server.services.repositories.get('default')
      assert.ok(repository)
      for (const [name, isAnonymous] of [
        ['transient/guest@x.org', false],
        ['Guest', true],
      ] as const) {
        const principal = createPrincipal(name, [], { isAdministrator: false, isAnonymous })
        const opening = accessTo(repository, principal).write((session) => getOrCreateUserWorkspace(session, server.services))
        await assert.rejects(opening, { code: 'noUserWorkspace', kind: 'forbidden' })
      }
    })
    test('is in the oldest domain where the usual one is gone', async () => {
      await server.addUser('eve', ['members'])
      const { uid } = requireStatus(200, await read('/default-domain'))
      await server.inSession('Administrator', (session) => moveDocument(session, uid, { name: 'other-domain' }))
      assert.equal((await open('eve')).path, '/other-domain/UserWorkspaces/eve')
    })
  },
  { plugins: [plugin] },
)
