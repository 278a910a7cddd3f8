import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { callForFile, callWithFiles, jsonOf } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

const recorder = createEventRecorder()
const asGuest = (id: string, operation: string) => ({
  id,
  steps: [{ operation: 'Auth.LoginAs', params: { name: 'Guest' } }, { operation }],
})
const guest = definePlugin({
  name: 'guest',
  chains: [
    asGuest('workspaceOfGuest', 'User.GetUserWorkspace'),
    asGuest('documentOfGuest', 'UserWorkspace.CreateDocumentFromBlob'),
    asGuest('favoritesOfGuest', 'Favorite.Fetch'),
    asGuest('likedByGuest', 'Favorite.GetDocuments'),
    asGuest('likeAsGuest', 'Document.AddToFavorites'),
  ],
})
const aText = { name: 'mine.txt', content: 'some text' }

onEachServer(
  '2.7 personal workspaces',
  (server) => {
    before(async () => {
      for (const user of ['olga', 'pete', 'quinn']) await server.addUser(user, ['members'])
    })
    const workspaceOf = (user: string, id = 'User.GetUserWorkspace') => operationsOn(server, user)(id)

    describe('User.GetUserWorkspace', () => {
      test('makes the workspace when it is first asked for, and gives the same ever after', async () => {
        const events = await recorder.eventsOf(async () => {
          const { type, path } = requireStatus(200, await workspaceOf('olga'))
          assert.deepEqual([type, path], ['Workspace', '/default-domain/UserWorkspaces/olga'])
        })
        assert.equal(events.filter(({ name }) => name === 'userWorkspaceCreated').length, 1)
        const again = await recorder.eventsOf(async () => {
          assert.equal(requireStatus(200, await workspaceOf('olga', 'UserWorkspace.Get')).title, 'olga')
        })
        assert.deepEqual(again, [])
      })

      test('makes one when many ask at the same time', async () => {
        const answers = await Promise.all(Array.from({ length: 6 }, () => workspaceOf('pete')))
        assert.equal(new Set(answers.map((answer) => requireStatus(200, answer).uid)).size, 1)
      })

      test('belongs to the user alone, who may do everything there', async () => {
        const { uid, path } = requireStatus(200, await workspaceOf('pete'))
        const body = { 'entity-type': 'document', type: 'Note', name: 'n', properties: { 'dc:title': 'n' } }
        requireStatus(201, await server.as('pete').post(`/path${path}`, body))
        assert.equal((await server.as('olga').get(`/id/${uid}`)).status, 403)
      })

      test('is not looked for in what is sent', async () => {
        const body = { input: '/default-domain', params: { userName: 'olga' } }
        assert.match(requireStatus(200, await operationsOn(server, 'pete')('User.GetUserWorkspace', body)).path, /\/pete$/)
      })

      test('is nothing for those without an account', async () => {
        const { status, text } = await operationsOn(server)('workspaceOfGuest')
        assert.deepEqual([status, text], [204, ''])
      })

      test('has no favorites either for those without an account, and says so to those who want one', async () => {
        const call = operationsOn(server)
        const fetched = await call('favoritesOfGuest')
        assert.deepEqual([fetched.status, fetched.text], [204, ''])
        assert.deepEqual(requireStatus(200, await call('likedByGuest')).entries, [])
        const root = (await server.as('Administrator').get('/path/default-domain/workspaces')).body
        const refused = await call('likeAsGuest', { input: root.uid })
        assert.equal(refused.status, 403, refused.text)
        assert.match(refused.body.message, /has no personal workspace|account/)
      })
    })

    describe('UserWorkspace.CreateDocumentFromBlob', () => {
      const id = 'UserWorkspace.CreateDocumentFromBlob'

      test('makes a document of the file in the workspace, which is made if need be', async () => {
        const answer = await callWithFiles(server, id, [aText], {}, { user: 'quinn' })
        assert.equal(answer.status, 200, answer.text)
        const { type, path, title } = jsonOf(answer)
        assert.deepEqual([type, path, title], ['Note', '/default-domain/UserWorkspaces/quinn/mine.txt', 'mine.txt'])
      })

      test('makes documents of all files of a list', async () => {
        const files = [aText, { name: 'f.pdf', content: 'x', type: 'application/pdf' }]
        const { entries } = jsonOf(await callWithFiles(server, id, files, {}, { user: 'quinn' }))
        assert.deepEqual(
          entries.map((document: Answered) => document.type),
          ['Note', 'File'],
        )
      })

      test('makes nothing for those without an account', async () => {
        const { status, text } = await callWithFiles(server, 'documentOfGuest', [aText])
        assert.deepEqual([status, text], [204, ''])
      })

      test('refuses what is no file, and strangers', async () => {
        const refused = await callForFile(server, id, { input: '/default-domain' }, { user: 'quinn' })
        assert.equal(refused.status, 400)
        assert.match(jsonOf(refused).message, /no method found/)
        assert.equal((await callWithFiles(server, id, [aText], {}, { user: 'nobody' })).status, 401)
      })
    })
  },
  { plugins: [recorder.plugin, guest], settings: { userAnonymousEnable: true, anonymousUser: 'Guest' } },
)
