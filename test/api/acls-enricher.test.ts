import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { dropAceNotes } from '../../src/core/documents/rights/ace-note.ts'
import { addPermission } from '../../src/core/documents/rights/add-permission.ts'
import { type Acl, deny, grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const [past, future] = ['2001-02-03T04:05:06.000Z', '2999-02-03T04:05:06.000Z']
const ofMembers = grant('members', 'Read', { creator: 'Administrator' })
const inherited = ['Administrator:Everything:true:::', 'members:Read:true:::']

onEachServer(
  'the acls enricher',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('alice', ['members']))

    const aclsOf = async (uid: string, headers = {}) =>
      (await bench.read(uid, { 'enrichers-document': 'acls', ...headers })).contextParameters.acls
    const idsOf = async (uid: string) =>
      Object.fromEntries((await aclsOf(uid)).map(({ name, aces }: Answered) => [name, aces.map(({ id }: Answered) => id)]))
    const createWith = async (...acls: readonly Acl[]) => {
      const { uid } = await bench.create('Folder')
      await bench.setAcls(uid, acls)
      return uid
    }

    test('shows one inherited list for a document without rights of its own', async () => {
      assert.deepEqual(await idsOf((await bench.create('File')).uid), { inherited })
    })

    test('shows nothing inherited for the root', async () => {
      const { contextParameters } = requireStatus(200, await server.as('Administrator').get('/path/?enrichers.document=acls'))
      assert.deepEqual(
        contextParameters.acls.map(({ name }: Answered) => name),
        ['local'],
      )
    })

    test('shows other lists as they were added, then the local one, then what is inherited', async () => {
      const uid = await createWith(
        { name: 'local', aces: [grant('alice', 'Read')] },
        { name: 'workflow', aces: [grant('bob', 'Write')] },
        { name: 'collaborators', aces: [grant('carol', 'Read')] },
      )
      const acls = await aclsOf(uid)
      assert.deepEqual(
        acls.map(({ name }: Answered) => name),
        ['workflow', 'collaborators', 'local', 'inherited'],
      )
    })

    test('counts two lists once a right is given and one again when the last one is taken', async () => {
      const uid = await createWith({ name: 'local', aces: [grant('alice', 'Read')] })
      assert.deepEqual(await idsOf(uid), { local: ['alice:Read:true:::'], inherited })
      await bench.setAcls(uid, [{ name: 'local', aces: [] }])
      assert.deepEqual(await idsOf(uid), { inherited })
    })

    test('shows nothing inherited past a block', async () => {
      const uid = await createWith({ name: 'local', aces: [grant('alice', 'Read'), deny('Everyone', 'Everything')] })
      assert.deepEqual(await idsOf(uid), { local: ['alice:Read:true:::', 'Everyone:Everything:false:::'] })
    })

    test('joins what is inherited from all above into one list, nearest first', async () => {
      const upper = await bench.create('Folder')
      const lower = await bench.create('Folder', {}, { parent: upper.path })
      const file = await bench.create('File', {}, { parent: lower.path })
      await bench.setAcls(upper.uid, [{ name: 'local', aces: [grant('alice', 'Read')] }])
      await bench.setAcls(lower.uid, [{ name: 'workflow', aces: [grant('bob', 'Write')] }])
      assert.deepEqual(await idsOf(file.uid), { inherited: ['bob:Write:true:::', 'alice:Read:true:::', ...inherited] })
    })

    test('shows each entry with its id, times and status', async () => {
      const uid = await createWith({
        name: 'local',
        aces: [
          grant('alice', 'Write', { creator: 'Administrator', begin: past, end: future }),
          deny('bob', 'Write', { begin: future }),
          grant('transient/ann@x.org', 'Read', { creator: 'bob', end: past }),
        ],
      })
      const [{ aces }] = await aclsOf(uid)
      const [begin, end] = [Date.parse(past), Date.parse(future)]
      assert.deepEqual(aces.map(Object.entries), [
        [
          ['id', `alice:Write:true:Administrator:${begin}:${end}`],
          ['username', 'alice'],
          ['externalUser', false],
          ['permission', 'Write'],
          ['granted', true],
          ['creator', 'Administrator'],
          ['begin', past],
          ['end', future],
          ['status', 'effective'],
        ],
        [
          ['id', `bob:Write:false::${end}:`],
          ['username', 'bob'],
          ['externalUser', false],
          ['permission', 'Write'],
          ['granted', false],
          ['creator', null],
          ['begin', future],
          ['end', null],
          ['status', 'pending'],
        ],
        [
          ['id', `transient/ann@x.org:Read:true:bob::${begin}`],
          ['username', 'transient/ann@x.org'],
          ['externalUser', true],
          ['permission', 'Read'],
          ['granted', true],
          ['creator', 'bob'],
          ['begin', null],
          ['end', past],
          ['status', 'archived'],
        ],
      ])
    })

    test('shows users and groups as entities to those who fetch them, and bare names of nobody', async () => {
      const uid = await createWith({
        name: 'local',
        aces: [
          grant('alice', 'Read', { creator: 'Administrator' }),
          grant('members', 'Read', { creator: 'nobody' }),
          grant('nobody', 'Read'),
        ],
      })
      const fetched = async (fetch: string) => {
        const [{ aces }] = await aclsOf(uid, { 'fetch-acls': fetch })
        return aces.map(({ username, creator }: Answered) => [username, creator])
      }
      const [first, second, third] = await fetched('username,creator')
      assert.deepEqual([first[0]['entity-type'], first[0].id], ['user', 'alice'])
      assert.ok(!('password' in first[0].properties))
      assert.deepEqual([first[1]['entity-type'], first[1].id], ['user', 'Administrator'])
      assert.deepEqual([second[0]['entity-type'], second[0].groupname, second[1]], ['group', 'members', 'nobody'])
      assert.deepEqual(third, ['nobody', null])
      assert.deepEqual(
        (await fetched('creator')).map(([username]: Answered) => username),
        ['alice', 'members', 'nobody'],
      )
      assert.equal((await fetched('username'))[0][1], 'Administrator')
    })

    test('keeps the id of an entry when its user is fetched', async () => {
      const uid = await createWith({ name: 'local', aces: [grant('Administrator', 'Read')] })
      const [{ aces }] = await aclsOf(uid, { 'fetch-acls': 'username' })
      assert.equal(aces[0].id, 'Administrator:Read:true:::')
    })

    test('adds whether to notify and the comment, where they were recorded and are fetched', async () => {
      const { uid } = await bench.create('Folder', {}, { parent: (await bench.create('Folder')).path })
      await server.inSession('Administrator', async (session) => {
        await addPermission(session, uid, { users: ['alice'], permission: 'Read', notify: true, comment: 'please look' })
        await addPermission(session, uid, { users: ['members'], permission: 'Read' })
      })
      const extras = async (fetch: string) => {
        const [{ aces }] = await aclsOf(uid, { 'fetch-acls': fetch })
        return aces.map(({ notify, comment }: Answered) => [notify, comment])
      }
      const none = [undefined, undefined]
      assert.deepEqual(await extras('username'), [none, none])
      assert.deepEqual(await extras('username,creator,extended'), [
        [true, 'please look'],
        [false, null],
      ])
      await server.asSystem((session) =>
        dropAceNotes(session, [{ documentId: uid, acls: [{ name: 'local', aces: [ofMembers] }] }]),
      )
      assert.deepEqual((await extras('extended'))[1], none)
    })

    test('is for all who may read the document', async () => {
      const { uid } = await bench.create('File')
      const { contextParameters } = requireStatus(
        200,
        await server.as('alice').get(`/id/${uid}`, { 'enrichers-document': 'acls' }),
      )
      assert.deepEqual(contextParameters.acls, await aclsOf(uid))
    })

    test('shows for a version the rights of its live document', async () => {
      const file = await bench.create('File')
      await bench.setAcls(file.uid, [{ name: 'local', aces: [grant('alice', 'Read')] }])
      const version = await bench.update(file.uid, { 'dc:title': 'x' }, { 'X-Versioning-Option': 'MINOR' })
      const ids = Object.values(await idsOf(version.uid)).flat()
      assert.deepEqual(ids, ['alice:Read:true:::', ...inherited])
    })
  },
  { plugins: [specimens] },
)
