import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { inheritedFromRoot, readAclIds } from '../support/shown-acls.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const [past, future] = ['2001-02-03T04:05:06.000Z', '2999-02-03T04:05:06.000Z']

onEachServer(
  '3.1 GET /id/{id}/@acl',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      await server.addUser('bob', ['members'])
    })
    const createWith = async (...acls: Parameters<typeof bench.setAcls>[1]) => {
      const { uid } = await bench.create('Folder')
      await bench.setAcls(uid, acls)
      return uid
    }
    const readAcl = async (uid: string) => requireStatus(200, await server.as('Administrator').get(`/id/${uid}/@acl`))

    test('answers an entity acls, and says so in its content type', async () => {
      const { uid } = await bench.create('File')
      const answer = await server.as('Administrator').get(`/id/${uid}/@acl`)
      assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=acls')
      assert.deepEqual(Object.keys(answer.body), ['entity-type', 'acl'])
      assert.equal(answer.body['entity-type'], 'acls')
    })

    test('shows each entry with exactly its fields', async () => {
      const uid = await createWith({
        name: 'local',
        aces: [
          grant('rivera', 'ReadWrite', { creator: 'Administrator', begin: past, end: future }),
          deny('members', 'Write', { begin: future }),
          grant('ann', 'Read', { end: past }),
        ],
      })
      const [begin, end] = [Date.parse(past), Date.parse(future)]
      const { acl } = await readAcl(uid)
      assert.deepEqual(Object.keys(acl[0]), ['name', 'ace'])
      assert.deepEqual(acl[0].ace.map(Object.entries), [
        [
          ['id', `rivera:ReadWrite:true:Administrator:${begin}:${end}`],
          ['username', 'rivera'],
          ['permission', 'ReadWrite'],
          ['granted', true],
          ['creator', 'Administrator'],
          ['begin', past],
          ['end', future],
          ['status', 'effective'],
        ],
        [
          ['id', `members:Write:false::${end}:`],
          ['username', 'members'],
          ['permission', 'Write'],
          ['granted', false],
          ['creator', null],
          ['begin', future],
          ['end', null],
          ['status', 'pending'],
        ],
        [
          ['id', `ann:Read:true:::${begin}`],
          ['username', 'ann'],
          ['permission', 'Read'],
          ['granted', true],
          ['creator', null],
          ['begin', null],
          ['end', past],
          ['status', 'archived'],
        ],
      ])
    })

    test('keeps five colons behind a user name that contains some itself', async () => {
      const uid = await createWith({ name: 'local', aces: [grant('urn:people:bob', 'Read', { creator: 'ann' })] })
      assert.deepEqual((await readAclIds(server, uid))['local'], ['urn:people:bob:Read:true:ann::'])
    })

    describe('lists', () => {
      test('other ACLs in order of addition, then local, then inherited', async () => {
        const uid = await createWith(
          { name: 'local', aces: [grant('ann', 'Read')] },
          { name: 'routing', aces: [grant('bob', 'Read')] },
          { name: 'collaborators', aces: [grant('ann', 'Write')] },
        )
        const { acl } = await readAcl(uid)
        assert.deepEqual(
          acl.map(({ name }: Answered) => name),
          ['routing', 'collaborators', 'local', 'inherited'],
        )
      })
      test('no ACL without entries', async () => {
        const uid = await createWith({ name: 'local', aces: [] }, { name: 'routing', aces: [] })
        assert.deepEqual(await readAclIds(server, uid), { inherited: inheritedFromRoot })
      })
      test('as inherited what all ancestors have, nearest first', async () => {
        const upper = await bench.create('Folder')
        const lower = await bench.create('Folder', {}, { parent: upper.path })
        const file = await bench.create('File', {}, { parent: lower.path })
        await bench.setAcls(upper.uid, [{ name: 'local', aces: [grant('ann', 'Read')] }])
        await bench.setAcls(lower.uid, [
          { name: 'local', aces: [grant('bob', 'Write')] },
          { name: 'routing', aces: [grant('ann', 'Write')] },
        ])
        assert.deepEqual(await readAclIds(server, file.uid), {
          inherited: ['ann:Write:true:::', 'bob:Write:true:::', 'ann:Read:true:::', ...inheritedFromRoot],
        })
      })
      test('of inherited entries none behind one that denies Everything to Everyone', async () => {
        const blocked = await bench.create('Folder')
        const file = await bench.create('File', {}, { parent: blocked.path })
        await bench.restrict(blocked.uid, grant('bob', 'Read'))
        assert.deepEqual(await readAclIds(server, file.uid), {
          inherited: ['bob:Read:true:::', 'administrators:Everything:true:::', 'Everyone:Everything:false:::'],
        })
      })
      test('nothing inherited where the document itself denies Everything to Everyone, also for a time', async () => {
        const lasting = await createWith({ name: 'local', aces: [deny('Everyone', 'Everything')] })
        assert.deepEqual(await readAclIds(server, lasting), { local: ['Everyone:Everything:false:::'] })
        const forNow = await createWith({ name: 'local', aces: [deny('Everyone', 'Everything', { end: future })] })
        assert.deepEqual(Object.keys(await readAclIds(server, forNow)), ['local'])
        const over = await createWith({ name: 'local', aces: [deny('Everyone', 'Everything', { end: past })] })
        assert.deepEqual(Object.keys(await readAclIds(server, over)), ['local', 'inherited'])
      })
      test('nothing inherited for the root', async () => {
        const root = requireStatus(200, await server.as('Administrator').get('/path/'))
        assert.deepEqual(Object.keys(await readAclIds(server, root.uid)), ['local'])
      })
      test("for a version its live document's, all as inherited", async () => {
        const file = await bench.create('File')
        await bench.setAcls(file.uid, [{ name: 'local', aces: [grant('ann', 'Read')] }])
        const version = await bench.update(file.uid, { 'dc:title': 'x' }, { 'X-Versioning-Option': 'MINOR' })
        assert.deepEqual(Object.values(await readAclIds(server, version.uid)).flat(), ['ann:Read:true:::', ...inheritedFromRoot])
      })
      test('for a proxy those of its own place', async () => {
        const folder = await bench.create('Folder')
        await bench.restrict(folder.uid, grant('bob', 'Read'))
        const file = await bench.create('File')
        await bench.setAcls(file.uid, [{ name: 'local', aces: [grant('ann', 'Read')] }])
        const proxy = await bench.createProxy(folder.uid, file.uid)
        assert.deepEqual(await readAclIds(server, proxy), {
          inherited: ['bob:Read:true:::', 'administrators:Everything:true:::', 'Everyone:Everything:false:::'],
        })
      })
    })

    test('needs ReadSecurity, which Read contains', async () => {
      const { uid } = await bench.create('File')
      assert.equal((await server.as('bob').get(`/id/${uid}/@acl`)).status, 200)
      await bench.setAcls(uid, [{ name: 'local', aces: [deny('bob', 'ReadSecurity')] }])
      assert.equal((await server.as('bob').get(`/id/${uid}`)).status, 200)
      assertRefused(await server.as('bob').get(`/id/${uid}/@acl`), 403, privilegeMissing('ReadSecurity', 'bob'))
    })
    test('needs Read on the document, as all that is said about it does', async () => {
      const { uid } = await bench.create('File')
      await bench.restrict(uid, grant('bob', 'ReadSecurity'))
      assertRefused(await server.as('bob').get(`/id/${uid}/@acl`), 403, privilegeMissing('Read', 'bob'))
      assert.equal((await server.as('bob').get('/id/nowhere/@acl')).status, 404)
    })
    test('reads only: no method changes ACLs', async () => {
      const { uid } = await bench.create('File')
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        assert.equal((await server.as('Administrator').call(method, `api/v1/id/${uid}/@acl`)).status, 405, method)
      }
      assert.deepEqual(await readAclIds(server, uid), { inherited: inheritedFromRoot })
    })
    test('3.3 ACLs sent with a document are not taken from it', async () => {
      const acls = [{ name: 'local', aces: [{ username: 'bob', permission: 'Everything', granted: true }] }]
      const { uid } = await bench.create('File')
      const body = { 'entity-type': 'document', acls, contextParameters: { acls }, properties: { 'dc:title': 'mine' } }
      requireStatus(200, await server.as('Administrator').put(`/id/${uid}`, body))
      assert.deepEqual(await readAclIds(server, uid), { inherited: inheritedFromRoot })
    })
    test('is by path as well, and for one document only', async () => {
      const folder = await bench.create('Folder')
      assert.deepEqual((await server.as('bob').get(`/path${folder.path}/@acl`)).body, await readAcl(folder.uid))
      assertRefused(
        await server.as('Administrator').get(`/id/${folder.uid}/@children/@acl`),
        400,
        "Adapter 'acl' cannot be applied to resource of type Documents",
      )
    })
  },
  { settings: { securityAllowNegativeAcl: true } },
)
