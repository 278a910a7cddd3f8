import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setLegalHold } from '../../src/core/documents/records/legal-hold.ts'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { versionBenchOn } from '../support/version-bench.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

onEachServer('11.2 what bob may not read', (server) => {
  const bench = versionBenchOn(server)
  before(() => server.addUser('bob'))
  const bob = () => server.as('bob')
  const hide = (uid: string) => bench.restrict(uid)

  /** A folder where bob may do everything. */
  async function createShared(type = 'Folder'): Promise<Answered> {
    const folder = await bench.create(type)
    await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'Everything')] }])
    return folder
  }

  test('is not counted by the places of the others in their folder', async () => {
    const { uid, path } = await createShared('OrderedFolder')
    const children: Answered[] = []
    for (let index = 0; index < 6; index++) children.push(await bench.create('File', {}, { parent: path, name: `f${index}` }))
    for (const hidden of [0, 2, 3]) await hide(children[hidden]?.uid)
    const ask = async (user: string, nxql: string) => {
      const address = `/search/lang/NXQL/execute?query=${encodeURIComponent(nxql)}`
      return requireStatus(200, await server.as(user).get(address)).entries
    }
    const where = `FROM Document WHERE ecm:parentId = '${uid}'`
    const titles = async (user: string, condition: string) =>
      (await ask(user, `SELECT * ${where} AND ${condition} ORDER BY ecm:pos`)).map((entry: Answered) => entry.path.slice(-2))
    assert.deepEqual(await titles('bob', 'ecm:pos >= 0'), ['f1', 'f4', 'f5'])
    assert.deepEqual(await titles('bob', 'ecm:pos = 1'), ['f4'])
    assert.deepEqual(await titles('bob', 'ecm:pos > 2'), [])
    assert.deepEqual(await titles('Administrator', 'ecm:pos > 2'), ['f3', 'f4', 'f5'])
    const shown = async (user: string) => {
      const params = { query: `SELECT ecm:pos ${where} ORDER BY ecm:pos` }
      const { entries } = requireStatus(200, await operationsOn(server, user)('Repository.ResultSetQuery', { params }))
      return entries.map((row: Answered) => Number(row['ecm:pos']))
    }
    assert.deepEqual(await shown('bob'), [0, 1, 2])
    assert.deepEqual(await shown('Administrator'), [0, 1, 2, 3, 4, 5])
  })

  test('is not named where it keeps a document from being removed', async () => {
    const { path } = await createShared()
    const shelf = await bench.create('Folder')
    await hide(shelf.uid)
    const file = await bench.create('File', {}, { parent: path })
    const proxy = await bench.createProxy(shelf.uid, file.uid)
    const refused = await bob().delete(`/id/${file.uid}`)
    assert.equal(refused.status, 409)
    assert.ok(!refused.text.includes(proxy) && !/proxy/.test(refused.text), refused.text)
    assert.match((await server.as('Administrator').delete(`/id/${file.uid}`)).text, new RegExp(`target of proxy ${proxy}`))
  })

  test('is not named where it keeps a version from being removed', async () => {
    const { path } = await createShared()
    const shelf = await bench.create('Folder')
    await hide(shelf.uid)
    const file = await bench.create('File', {}, { parent: path })
    const { version } = await bench.checkIn(file.uid)
    await bench.retitle(file.uid, 'opened')
    await bench.createProxy(shelf.uid, version.id)
    const refused = await bob().delete(`/id/${version.id}`)
    assert.equal(refused.status, 403)
    assert.doesNotMatch(refused.text, /proxy/)
    assert.match((await server.as('Administrator').delete(`/id/${version.id}`)).text, /target of a proxy/)
  })

  test('is not named where a hold on it keeps its folder', async () => {
    const shared = await createShared()
    const { uid, path } = await bench.create('Folder', {}, { parent: shared.path })
    const file = await bench.create('File', {}, { parent: path })
    await bench.setAcls(file.uid, [{ name: 'local', aces: [deny('Everyone', 'Everything')] }])
    await server.inSession('Administrator', (session) => setLegalHold(session, file.uid))
    const refused = await bob().delete(`/id/${uid}`)
    assert.equal(refused.status, 409)
    assert.ok(!refused.text.includes(file.uid), refused.text)
  })
})
