import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { untilIdle } from '../support/background.ts'
import { type OperationBody, operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { inheritedFromRoot, readAclIds } from '../support/shown-acls.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const [begin, end] = ['2030-01-02T03:04:05.000Z', '2031-01-02T03:04:05.000Z']
const [beginMillis, endMillis] = [Date.parse(begin), Date.parse(end)]

onEachServer('2.3 changing permissions', (server) => {
  const bench = workbenchOn(server)
  const call = operationsOn(server)
  before(async () => {
    for (const user of ['ann', 'bob']) await server.addUser(user, ['members'])
  })

  const localOf = async (uid: string) => (await readAclIds(server, uid))['local'] ?? []
  /** Runs it on a new folder and gives the ids of its own entries. */
  const localAfter = async (operation: string, params: object, uid?: string) => {
    const target = uid ?? (await bench.create('Folder')).uid
    const shown = requireStatus(200, await call(operation, { input: target, params }))
    assert.deepEqual([shown['entity-type'], shown.uid], ['document', target])
    return localOf(target)
  }
  const refuse = async (operation: string, body: OperationBody, status: number, message: RegExp, user?: string) => {
    assertRefused(await operationsOn(server, user)(operation, body), status, message)
  }
  const refuseOnFolder = async (operation: string, params: object, status: number, message: RegExp, user?: string) => {
    const { uid } = await bench.create('Folder')
    await refuse(operation, { input: uid, params }, status, message, user)
    assert.deepEqual(await localOf(uid), [], 'nothing is granted')
  }

  describe('Document.AddPermission', () => {
    const add = (params: object, uid?: string) => localAfter('Document.AddPermission', { permission: 'Read', ...params }, uid)

    test('grants each of the users and groups the permission', async () => {
      assert.deepEqual(await add({ users: ['ann', 'members'] }), [
        'ann:Read:true:Administrator::',
        'members:Read:true:Administrator::',
      ])
    })
    test('grants it to one more by username or user, and once to whoever is named twice', async () => {
      const anns = 'ann:Read:true:Administrator::'
      assert.deepEqual(await add({ username: 'ann' }), [anns])
      assert.deepEqual(await add({ user: 'ann' }), [anns])
      assert.deepEqual(await add({ users: ['ann', 'bob'], username: 'ann' }), [anns, 'bob:Read:true:Administrator::'])
    })
    test('takes names as a text with commas, and with user: or group: before them', async () => {
      assert.deepEqual(await add({ users: 'ann,group:members' }), [
        'ann:Read:true:Administrator::',
        'members:Read:true:Administrator::',
      ])
    })
    test('answers under its alias, too', async () => {
      assert.deepEqual(await localAfter('Document.AddACL', { permission: 'Write', user: 'ann' }), [
        'ann:Write:true:Administrator::',
      ])
    })
    test('lets the user do what was granted', async () => {
      const { uid } = await bench.create('Folder')
      const rename = () => server.as('ann').put(`/id/${uid}`, { 'entity-type': 'document', properties: { 'dc:title': 'x' } })
      assert.equal((await rename()).status, 403)
      await add({ users: ['ann'], permission: 'ReadWrite' }, uid)
      assert.equal((await rename()).status, 200)
    })
    test('grants it for a time', async () => {
      assert.deepEqual(await add({ users: ['ann'], begin, end }), [`ann:Read:true:Administrator:${beginMillis}:${endMillis}`])
    })
    test('takes null for what is not said', async () => {
      assert.deepEqual(await add({ users: ['ann'], begin, end: null, email: null, comment: null }), [
        `ann:Read:true:Administrator:${beginMillis}:`,
      ])
    })
    test('grants it in the list that is named', async () => {
      const { uid } = await bench.create('Folder')
      await add({ users: ['ann'], acl: 'collaborators' }, uid)
      assert.deepEqual(await readAclIds(server, uid), {
        collaborators: ['ann:Read:true:Administrator::'],
        inherited: inheritedFromRoot,
      })
    })
    test('blocks inherited rights first when told', async () => {
      assert.deepEqual(await add({ users: ['ann'], blockInheritance: true }), [
        'Administrator:Everything:true:Administrator::',
        'administrators:Everything:true:::',
        'ann:Read:true:Administrator::',
        'Everyone:Everything:false:::',
      ])
    })
    test('keeps what is to be told beside the entry', async () => {
      const { uid } = await bench.create('Folder')
      await add({ users: ['ann'], notify: true, comment: 'have a look' }, uid)
      const { contextParameters } = await bench.read(uid, { 'enrichers-document': 'acls', 'fetch-acls': 'extended' })
      const [{ notify, comment }] = contextParameters.acls[0].aces
      assert.deepEqual([notify, comment], [true, 'have a look'])
    })
    test('works on each document of a list', async () => {
      const uids = [(await bench.create('Folder')).uid, (await bench.create('File')).uid]
      const params = { permission: 'Read', users: ['ann'] }
      const { entries } = requireStatus(200, await call('Document.AddPermission', { input: uids, params }))
      assert.deepEqual(
        entries.map(({ uid }: Answered) => uid),
        uids,
      )
      for (const uid of uids) assert.deepEqual(await localOf(uid), ['ann:Read:true:Administrator::'])
    })
    test('grants nothing on any of them where one is refused', async () => {
      const [free, closed] = [await bench.create('Folder'), await bench.create('Folder')]
      await add({ users: ['ann'], permission: 'Everything' }, free.uid)
      const before = await localOf(free.uid)
      const body = { input: [free.uid, closed.uid], params: { permission: 'Read', users: ['bob'] } }
      await refuse('Document.AddPermission', body, 403, /WriteSecurity/, 'ann')
      assert.deepEqual(await localOf(free.uid), before)
    })

    describe('acceptance 27', () => {
      const refuseAdding = (params: object, status: number, message: RegExp) =>
        refuseOnFolder('Document.AddPermission', { permission: 'Read', ...params }, status, message)

      test('without a user it is refused', () => refuseAdding({}, 400, /'users' or 'email' parameters must be set$/))
      test('with no more than blanks for users it is refused', () => refuseAdding({ users: [' ', null] }, 400, /must be set$/))
      test('names that nobody has are refused, all of them by name', () =>
        refuseAdding(
          { users: ['ann', 'nobody', 'nothing'] },
          400,
          /The following set of User or Group names do not exist: \[nobody,nothing\]\. Please provide valid ones\.$/,
        ))
      test('a permission that does not exist is refused', () =>
        refuseAdding({ users: ['ann'], permission: 'Fly' }, 400, /Permission Fly is invalid\.$/))
      test('an e-mail address needs an end', () =>
        refuseAdding({ email: 'eve@example.com' }, 400, /'end' parameter must be set when adding a permission for an 'email'$/))
      for (const email of [
        'eve',
        'eve@',
        'e@x.org\r\nBcc: other@x.org',
        'e\r\nBcc: other@x.org',
        'e@x.org,o@x.org',
        'a/b@x.org',
      ]) {
        test(`what is no e-mail address is refused: ${JSON.stringify(email)}`, async () => {
          await refuseAdding({ email, end }, 400, /is no mail address\. Send one of the form name@host as 'email'\.$/)
          await refuseAdding({ users: [`transient/${email}`], end }, 400, /names do not exist/)
        })
      }
      test('an e-mail address with an end gives an entry to somebody without an account', async () => {
        assert.deepEqual(await add({ email: 'eve@example.com', end }), [
          `transient/eve@example.com:Read:true:Administrator::${endMillis}`,
        ])
      })
      test('an e-mail address does not count beside a user', async () => {
        assert.deepEqual(await add({ email: 'eve@example.com', users: ['ann'] }), ['ann:Read:true:Administrator::'])
      })
    })

    const rows: [what: string, params: object, status: number, message: RegExp][] = [
      ['no permission', { users: ['ann'] }, 400, /Failed to inject parameter 'permission'/],
      ['a date that is none', { permission: 'Read', users: ['ann'], begin: 'soon' }, 400, /'begin' must be of type date/],
      ['an end before the beginning', { permission: 'Read', users: ['ann'], begin: end, end: begin }, 400, /after its end/],
      ['names that are objects', { permission: 'Read', users: [{ name: 'ann' }] }, 400, /cannot be taken for a name/],
      ['the inherited list', { permission: 'Read', users: ['ann'], acl: 'inherited' }, 400, /What a document inherits/],
    ]
    for (const [what, params, status, message] of rows) {
      test(`refuses ${what}`, () => refuseOnFolder('Document.AddPermission', params, status, message))
    }
    test('needs WriteSecurity', () =>
      refuseOnFolder('Document.AddPermission', { permission: 'Read', users: ['bob'] }, 403, /'WriteSecurity'/, 'ann'))
    test('needs a document that exists', () =>
      refuse('Document.AddPermission', { input: '/nowhere', params: { permission: 'Read', users: ['ann'] } }, 404, /\/nowhere$/))
    test('needs a document', () =>
      refuse('Document.AddPermission', { params: { permission: 'Read', users: ['ann'] } }, 400, /no method found/))
    test('is not for versions, which have the rights of their live document', async () => {
      const { uid } = await bench.create('File')
      await bench.update(uid, { 'dc:title': 'x' }, { 'X-Versioning-Option': 'MINOR' })
      const [version] = (await server.as('Administrator').get(`/search/execute?query=${ofSeries(uid)}`)).body.entries
      const body = { input: version.uid, params: { permission: 'Read', users: ['ann'] } }
      await refuse('Document.AddPermission', body, 400, new RegExp(`Change them on ${uid}`))
    })
  })

  describe('Document.ReplacePermission', () => {
    const anns = 'ann:Read:true:Administrator::'
    const withAnn = async () => {
      const { uid } = await bench.create('Folder')
      const params = { permission: 'Read', users: ['ann', 'bob'] }
      requireStatus(200, await call('Document.AddPermission', { input: uid, params }))
      return uid
    }
    const replace = async (params: object, uid?: string) =>
      localAfter(
        'Document.ReplacePermission',
        { username: 'ann', permission: 'Write', id: anns, ...params },
        uid ?? (await withAnn()),
      )

    test('puts the new entry where the old one was', async () => {
      assert.deepEqual(await replace({}), ['ann:Write:true:Administrator::', 'bob:Read:true:Administrator::'])
    })
    test('gives it to another user, for a time', async () => {
      const [first] = await replace({ username: undefined, user: 'members', begin, end })
      assert.equal(first, `members:Write:true:Administrator:${beginMillis}:${endMillis}`)
    })
    test('keeps what is to be told beside the new entry', async () => {
      const uid = await withAnn()
      await replace({ notify: true, comment: 'more than before' }, uid)
      const { contextParameters } = await bench.read(uid, { 'enrichers-document': 'acls', 'fetch-acls': 'extended' })
      const [{ notify, comment }] = contextParameters.acls[0].aces
      assert.deepEqual([notify, comment], [true, 'more than before'])
    })
    test('changes nothing where the list has no such entry', async () => {
      const before = [anns, 'bob:Read:true:Administrator::']
      assert.deepEqual(await replace({ id: 'ann:Write:true:Administrator::' }), before)
      assert.deepEqual(await replace({ acl: 'collaborators' }), before)
    })
    for (const missing of ['username', 'permission', 'id']) {
      test(`needs ${missing}`, () => {
        const params = { username: 'ann', permission: 'Write', id: anns, [missing]: undefined }
        return refuseOnFolder('Document.ReplacePermission', params, 400, new RegExp(`parameter '${missing}'`))
      })
    }
    test('refuses an id that is none', () =>
      refuseOnFolder(
        'Document.ReplacePermission',
        { username: 'ann', permission: 'Read', id: 'ann' },
        400,
        /Invalid ACE id: ann/,
      ))
    test('needs WriteSecurity', () =>
      refuseOnFolder(
        'Document.ReplacePermission',
        { username: 'ann', permission: 'Read', id: anns },
        403,
        /WriteSecurity/,
        'ann',
      ))
  })

  describe('Document.RemovePermission', () => {
    const granted = async () => {
      const { uid } = await bench.create('Folder')
      for (const params of [
        { permission: 'Read', users: ['ann', 'bob'] },
        { permission: 'Write', users: ['ann'] },
        { permission: 'Read', users: ['ann'], acl: 'collaborators' },
      ]) {
        requireStatus(200, await call('Document.AddPermission', { input: uid, params }))
      }
      return uid
    }
    const remove = async (params: object) => localAfter('Document.RemovePermission', params, await granted())
    const all = ['ann:Read:true:Administrator::', 'bob:Read:true:Administrator::', 'ann:Write:true:Administrator::']

    test('takes the entry with the id', async () => {
      assert.deepEqual(await remove({ id: 'ann:Read:true:Administrator::' }), all.slice(1))
    })
    test('takes all entries of the user in the list, whatever the id says', async () => {
      assert.deepEqual(await remove({ user: 'ann', id: 'bob:Read:true:Administrator::' }), ['bob:Read:true:Administrator::'])
    })
    test('takes nothing of other lists', async () => {
      const uid = await granted()
      requireStatus(200, await call('Document.RemovePermission', { input: uid, params: { user: 'ann', acl: 'collaborators' } }))
      const { local, collaborators } = await readAclIds(server, uid)
      assert.deepEqual([local, collaborators], [all, undefined])
    })
    test('is content where nothing matches', async () => {
      assert.deepEqual(await remove({ user: 'eve' }), all)
      assert.deepEqual(await remove({ id: 'eve:Read:true:Administrator::' }), all)
    })
    test('needs one of both', () => refuseOnFolder('Document.RemovePermission', {}, 400, /'id' or 'user' parameter must be set$/))
    test('needs WriteSecurity', () => refuseOnFolder('Document.RemovePermission', { user: 'ann' }, 403, /WriteSecurity/, 'ann'))
  })
})

function ofSeries(uid: string): string {
  return encodeURIComponent(`SELECT * FROM Document WHERE ecm:versionVersionableId = '${uid}'`)
}

onEachServer(
  'rights and tags with other settings',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    test('Document.AddPermission takes names that nobody has', async () => {
      const { uid } = await bench.create('Folder')
      requireStatus(200, await call('Document.AddPermission', { input: uid, params: { permission: 'Read', users: ['nobody'] } }))
      assert.deepEqual((await readAclIds(server, uid))['local'], ['nobody:Read:true:Administrator::'])
    })

    test('Document.AddPermission makes each invitation of an address a guest of its own, with a token of its own', async () => {
      const invited: string[] = []
      for (const parent of ['Folder', 'Folder']) {
        const { uid } = await bench.create(parent)
        requireStatus(
          200,
          await call('Document.AddPermission', { input: uid, params: { permission: 'Read', email: 'g@x.org', end } }),
        )
        invited.push(((await readAclIds(server, uid))['local'] ?? [])[0]?.split(':')[0] ?? '')
      }
      for (const name of invited) assert.match(name, /^transient\/g@x\.org\/[0-9a-f]{16}$/)
      assert.equal(new Set(invited).size, 2)
      await untilIdle(server)
      const { directories } = server.services.directories.store.reader
      for (const userName of invited) {
        const found = await directories.search({ directory: 'authTokens', equal: { userName }, order: [], offset: 0, limit: 10 })
        assert.equal(found.total, 1, userName)
      }
    })

    test('tags keep their spaces and signs, and stay on what goes into the trash', async () => {
      const { uid } = await bench.create('File')
      requireStatus(200, await call('Services.TagDocument', { input: uid, params: { tags: ["A / B\\'s 5%"] } }))
      requireStatus(200, await call('Document.Trash', { input: uid }))
      const { tags } = (await bench.read(uid, { 'enrichers.document': 'tags' })).contextParameters
      assert.deepEqual(tags, ["a / b\\'s 5"])
    })
  },
  {
    settings: {
      automationAllowVirtualUser: true,
      transientUsernameUnique: true,
      tagSanitizationEnabled: false,
      tagRemovalOnTrashEnabled: false,
    },
  },
)
