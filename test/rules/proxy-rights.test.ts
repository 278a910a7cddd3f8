import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { addPermission } from '../../src/core/documents/rights/add-permission.ts'
import { blockInheritance } from '../../src/core/documents/rights/block-inheritance.ts'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import type { WriteSession } from '../../src/core/session.ts'
import type { Document } from '../../src/model/document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { assertRefusal } from '../support/refusal.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { readAclIds } from '../support/shown-acls.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

onEachServer('8.7 the rights of a proxy', (server) => {
  const bench = workbenchOn(server)
  before(() => server.addUser('bob', ['members']))
  const act = <Result>(body: (session: WriteSession) => Promise<Result>, user = 'Administrator') => server.inSession(user, body)
  const statusFor = async (user: string, uid: string) => (await server.as(user).get(`/id/${uid}`)).status

  /** A file that nobody else may read, and a proxy to it in a section that nobody else may read either. */
  async function createScene(): Promise<{ file: Answered; section: Answered; proxy: Document }> {
    const [file, section] = [await bench.create('File'), await bench.create('Section')]
    for (const { uid } of [file, section]) await bench.restrict(uid)
    return { file, section, proxy: await act((session) => createProxy(session, file.uid, section.uid)) }
  }

  describe('8.7 are given on it', () => {
    test('and let nobody near what it shows, nor the folder it is in', async () => {
      const { file, section, proxy } = await createScene()
      await act((session) => addPermission(session, proxy.id, { users: ['bob'], permission: 'Read' }))
      const statuses = await Promise.all([proxy.id, file.uid, section.uid].map((uid) => statusFor('bob', uid)))
      assert.deepEqual(statuses, [200, 403, 403])
      assert.deepEqual((await readAclIds(server, proxy.id))['local'], ['bob:Read:true:Administrator::'])
      assert.ok(
        !Object.values(await readAclIds(server, file.uid))
          .flat()
          .includes('bob:Read:true:Administrator::'),
      )
    })
    test('take WriteSecurity there, whatever the caller may do with what it shows', async () => {
      const { file, proxy } = await createScene()
      await bench.restrict(file.uid, grant('bob', 'Everything'))
      const acls = [{ name: 'local', aces: [grant('bob', 'Read')] }]
      await assertRefusal(
        act((session) => setAcls(session, proxy.id, acls), 'bob'),
        403,
        privilegeMissing('WriteSecurity', 'bob'),
      )
    })
    test('and are inherited by what is below it', async () => {
      const { proxy } = await createScene()
      const below = await bench.create('File', {}, { parent: proxy.path ?? '' })
      await act((session) => addPermission(session, proxy.id, { users: ['bob'], permission: 'Read' }))
      assert.equal(await statusFor('bob', below.uid), 200)
      await act((session) => blockInheritance(session, below.uid))
      assert.equal(await statusFor('bob', below.uid), 403)
    })
    test('and give the proxy back as it is seen, changed or not', async () => {
      const [file, section] = [await bench.create('File'), await bench.create('Section')]
      const { id, proxyChangeToken } = await act((session) => publishDocument(session, file.uid, section.uid))
      for (const _ of ['changed', 'as it was']) {
        const given = await act((session) => addPermission(session, id, { users: ['bob'], permission: 'Read' }))
        assert.deepEqual([given.isCheckedIn, given.isProxy, given.proxyChangeToken], [true, true, proxyChangeToken])
      }
    })
  })
  test('8.7 do not change with those of what it shows', async () => {
    const { file, proxy } = await createScene()
    await bench.restrict(file.uid, grant('bob', 'Everything'))
    assert.deepEqual([await statusFor('bob', file.uid), await statusFor('bob', proxy.id)], [200, 403])
  })
})
