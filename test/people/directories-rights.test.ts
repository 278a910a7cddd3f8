import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createEntry } from '../../src/core/directories/create-entry.ts'
import { deleteEntry } from '../../src/core/directories/delete-entry.ts'
import { defineDirectory } from '../../src/core/directories/directory-definition.ts'
import { findEntry } from '../../src/core/directories/find-entry.ts'
import { readDirectory } from '../../src/core/directories/read-directory.ts'
import { searchEntries } from '../../src/core/directories/search-entries.ts'
import { updateEntry } from '../../src/core/directories/update-entry.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { TestServer } from '../../src/testing.ts'
import { assertRefusal } from '../support/refusal.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

const rows = async () => [{ id: 'one', label: 'One' }]
const vocabulary = (name: string, options: object) => defineDirectory(name, { schema: 'vocabulary', dataFile: rows, ...options })

const rooms = definePlugin({
  name: 'rooms',
  directories: [
    vocabulary('open', {}),
    vocabulary('frozen', { readOnly: true }),
    vocabulary('ofReaders', { permissions: { read: ['readers'], write: [] } }),
    vocabulary('ofEditors', { permissions: { read: ['readers'], write: ['editors', 'pat'] } }),
    vocabulary('ofEveryone', { permissions: { read: ['Everyone'], write: ['Everyone'] } }),
    vocabulary('ofNobody', { permissions: { read: [], write: [] } }),
    vocabulary('belowNobody', {
      schema: 'xvocabulary',
      parentDirectory: 'ofNobody',
      dataFile: async () => [{ id: 'child', label: 'Child', parent: 'one' }],
    }),
  ],
})

/** What each call is answered with, for one who may read, write or neither. */
interface Expected {
  readonly reads: boolean
  readonly writes: boolean
}

const users = {
  root: ['administrators'],
  pat: ['powerusers'],
  rita: ['readers'],
  eddie: ['editors', 'powerusers'],
  plain: ['editors'],
  bob: [],
} as const
type User = keyof typeof users

const all: Expected = { reads: true, writes: true }
const reader: Expected = { reads: true, writes: false }
const none: Expected = { reads: false, writes: false }

const rights: { readonly [directory: string]: { readonly [user in User]: Expected } } = {
  open: { root: all, pat: all, rita: reader, eddie: all, plain: reader, bob: reader },
  ofReaders: { root: all, pat: none, rita: reader, eddie: none, plain: none, bob: none },
  ofEditors: { root: all, pat: all, rita: reader, eddie: all, plain: reader, bob: none },
  ofEveryone: { root: all, pat: all, rita: reader, eddie: all, plain: reader, bob: reader },
  ofNobody: { root: all, pat: none, rita: none, eddie: none, plain: none, bob: none },
}

const entry = (properties: object) => ({ 'entity-type': 'directoryEntry', properties })

onEachServer(
  'rights on directories',
  (server) => {
    before(async () => {
      for (const name of ['readers', 'editors'])
        await server.asSystem(({ tx }) => tx.directories.insert('groupDirectory', { id: name, values: { groupname: name } }))
      for (const [name, groups] of Object.entries(users)) await server.addUser(name, groups)
    })

    for (const [directory, expectations] of Object.entries(rights)) {
      for (const [user, { reads, writes }] of Object.entries(expectations)) {
        test(`let ${user} ${reads ? '' : 'not '}read and ${writes ? '' : 'not '}write ${directory}`, async () => {
          const caller = server.as(user)
          const listed = await caller.get(`/directory/${directory}`)
          assert.deepEqual([listed.status, listed.body.resultsCount > 0], [200, reads])
          const read = await caller.get(`/directory/${directory}/one`)
          if (reads) assert.equal(read.status, 200)
          else assertRefused(read, 404, 'Entry not found')
          await assertWriting(server, user, directory, writes)
        })
      }
    }

    test('refuse everybody to write what is read-only, and let everybody read it', async () => {
      for (const user of ['root', 'pat']) {
        const caller = server.as(user)
        for (const answer of [
          await caller.post('/directory/frozen', entry({ id: 'two' })),
          await caller.put('/directory/frozen/one', entry({ id: 'one', label: 'Changed' })),
          await caller.delete('/directory/frozen/one'),
        ])
          assertRefused(answer, 403, 'Directory is read-only')
      }
      assert.equal((await server.as('bob').get('/directory/frozen/one')).body.properties.label, 'One')
    })

    test('refuse before anything else is looked at', async () => {
      const bob = server.as('bob')
      assertRefused(await bob.post('/directory/open', '{"entity-type":"document"}'), 403, 'Not allowed to edit directory')
      assertRefused(await bob.put('/directory/open/nothing', entry({})), 403, 'Not allowed to edit directory')
      assertRefused(await bob.delete('/directory/open/nothing'), 403, 'Not allowed to edit directory')
      assertRefused(await bob.delete('/directory/userDirectory/bob'), 403, 'Not allowed to edit directory')
      assertRefused(await bob.delete('/directory/nowhere/x'), 404, 'Directory nowhere was not found')
    })

    test('close the directories of users and groups to all who write', async () => {
      const closed = 'Not allowed to edit user/group directories, please use user/group endpoints'
      for (const user of ['root', 'pat']) {
        const caller = server.as(user)
        for (const [directory, field] of [
          ['userDirectory', 'username'],
          ['groupDirectory', 'groupname'],
        ] as const) {
          assertRefused(await caller.post(`/directory/${directory}`, entry({ [field]: 'x' })), 400, closed)
          assertRefused(await caller.put(`/directory/${directory}/bob`, entry({ [field]: 'bob' })), 400, closed)
          assertRefused(await caller.delete(`/directory/${directory}/bob`), 400, closed)
        }
      }
      assert.equal((await server.as('root').get('/directory/userDirectory/bob')).status, 200)
    })

    test('keep the id of a parent whose directory may not be read', async () => {
      const headers = { 'fetch-directoryEntry': 'parent' }
      assert.equal((await server.as('bob').get('/directory/belowNobody/child', headers)).body.properties.parent, 'one')
      assert.equal((await server.as('root').get('/directory/belowNobody/child', headers)).body.properties.parent.id, 'one')
    })

    describe('in a session', () => {
      test('are those over HTTP', async () => {
        await server.inSession('bob', async (session) => {
          const [hidden, open] = [readDirectory(session, 'ofNobody'), readDirectory(session, 'open')]
          assert.equal(await findEntry(session, hidden, 'one'), undefined)
          assert.deepEqual(await searchEntries(session, hidden, { offset: 0, limit: 10 }), { entries: [], total: 0 })
          assert.equal((await findEntry(session, open, 'one'))?.id, 'one')
          const change = { values: { id: 'x' }, references: {} }
          for (const attempt of [
            createEntry(session, open, change),
            updateEntry(session, open, 'one', change),
            deleteEntry(session, open, 'one'),
          ])
            await assertRefusal(attempt, 403, 'Not allowed to edit directory')
        })
      })

      test('know no directory that is not there', async () => {
        await server.asSystem(async (session) => {
          assert.throws(() => readDirectory(session, 'nowhere'), /^directoryNotFound: Directory nowhere was not found/)
        })
      })
    })
  },
  { plugins: [rooms] },
)

async function assertWriting(server: TestServer, user: string, directory: string, writes: boolean): Promise<void> {
  const caller = server.as(user)
  const id = `by ${user}`
  const answers = [
    await caller.post(`/directory/${directory}`, entry({ id, label: 'New' })),
    await caller.put(`/directory/${directory}/${id}`, entry({ id, label: 'Changed' })),
    await caller.delete(`/directory/${directory}/${id}`),
  ]
  if (writes) {
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 200, 204],
    )
  } else {
    for (const answer of answers) assertRefused(answer, 403, 'Not allowed to edit directory')
    assert.equal((await server.as('root').get(`/directory/${directory}/${id}`)).status, 404)
  }
}
