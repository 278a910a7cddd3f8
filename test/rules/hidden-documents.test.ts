import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { lockDocument } from '../../src/core/documents/locks/lock-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { hasPermission } from '../../src/core/permissions.ts'
import type { WriteSession } from '../../src/core/session.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { aDocument, assertRefused, changesTo, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

onEachServer('11.2 of what bob may not read', (server) => {
  const bench = workbenchOn(server)
  before(() => server.addUser('bob', ['members']))
  const act = <Result>(body: (session: WriteSession) => Promise<Result>) => server.inSession('Administrator', body)
  const readAs = async (user: string, uid: string, enricher: string) =>
    requireStatus(200, await server.as(user).get(`/id/${uid}`, { 'enrichers-document': enricher })).contextParameters[enricher]

  /** A folder that bob may read, and in it a locked one with a file that he may not. */
  async function createScene(): Promise<{ open: Answered; secret: Answered; file: Answered }> {
    const open = await bench.create('Folder')
    const secret = await bench.create('Folder', { 'dc:title': 'secret' }, { parent: open.path, name: 'secret' })
    const file = await bench.create('File', {}, { parent: secret.path, name: 'file' })
    await bench.restrict(secret.uid)
    await act((session) => lockDocument(session, secret.uid))
    return { open, secret, file }
  }

  describe('11.2 every address answers 403 and nothing but which right is missing', () => {
    const answer = (...[method, tail, body]: [method: 'get' | 'put' | 'post' | 'delete', tail: string, body?: object]) => ({
      name: `${method.toUpperCase()} ${tail || 'itself'}`,
      call: (address: string) =>
        method === 'get' || method === 'delete'
          ? server.as('bob')[method](`${address}${tail}`)
          : server.as('bob')[method](`${address}${tail}`, body),
    })
    for (const { name, call } of [
      answer('get', ''),
      answer('put', '', changesTo({ 'dc:nature': 'nonsense' })),
      answer('post', '', aDocument({ type: 'Nonsense' })),
      answer('delete', ''),
      answer('get', '/@children'),
      answer('get', '/@acl'),
      answer('get', '/@emptyWithDefault?type=File'),
    ]) {
      test(name, async () => {
        const { secret } = await createScene()
        for (const address of [`/id/${secret.uid}`, `/path${secret.path}`]) {
          assertRefused(await call(address), 403, privilegeMissing('Read', 'bob'))
        }
      })
    }
    test('a version of it, and what is below it', async () => {
      const { file } = await createScene()
      const { version } = await act((session) => checkInDocument(session, file.uid))
      for (const uid of [file.uid, version.id]) {
        assertRefused(await server.as('bob').get(`/id/${uid}`), 403, privilegeMissing('Read', 'bob'))
      }
      assert.equal((await server.as('bob').get(`/path${file.path}-not`)).status, 404)
    })
  })

  test('11.2 the folder around it tells nothing: no child, no content, no count', async () => {
    const { open } = await createScene()
    assert.deepEqual((await readAs('bob', open.uid, 'children')).entries, [])
    assert.equal(await readAs('bob', open.uid, 'hasContent'), false)
    assert.equal(await readAs('bob', open.uid, 'hasFolderishChild'), false)
    const { entries, resultsCount } = requireStatus(200, await server.as('bob').get(`/id/${open.uid}/@children`))
    assert.deepEqual([entries, resultsCount], [[], 0])
  })
  test('8.1 what is above a document that he may read is passed over', async () => {
    const { open, file } = await createScene()
    await bench.setAcls(file.uid, [{ name: 'local', aces: [grant('bob', 'Read')] }])
    assert.deepEqual(
      (await readAs('bob', file.uid, 'breadcrumb')).entries.map(({ uid }: Answered) => uid),
      [file.uid],
    )
    assert.equal((await readAs('bob', file.uid, 'firstAccessibleAncestor')).uid, open.uid)
  })
  test('7.5 proxies where he may not look are not counted', async () => {
    const { secret } = await createScene()
    const shown = await bench.create('File')
    await act((session) => createProxy(session, shown.uid, secret.uid))
    assert.deepEqual(await readAs('bob', shown.uid, 'publications'), { resultsCount: 0 })
    assert.deepEqual(await readAs('Administrator', shown.uid, 'publications'), { resultsCount: 1 })
  })
  test('8.7 a proxy that he may read shows the content and neither its place nor its rights', async () => {
    const { file, open } = await createScene()
    const proxy = await act((session) => createProxy(session, file.uid, open.uid))
    const shown = requireStatus(200, await server.as('bob').get(`/id/${proxy.id}`, { 'enrichers-document': 'acls,breadcrumb' }))
    assert.deepEqual([shown.uid, shown.path, shown.parentRef], [proxy.id, proxy.path, open.uid])
    assert.ok(!JSON.stringify(shown).includes('/secret'))
    assert.ok(!JSON.stringify(shown.contextParameters.acls).includes('Everyone'))
  })
  test('11.1 a right that nobody declared is his only by itself or with Everything', async () => {
    const { uid } = await bench.create('Folder')
    const has = () =>
      server.inSession('bob', async (session) => {
        const document = await session.tx.documents.find(uid)
        return document !== undefined && hasPermission(session, document, 'Fly')
      })
    const answers: boolean[] = []
    for (const permission of ['ReadWrite', 'Fly', 'Everything']) {
      await bench.restrict(uid, grant('bob', permission))
      answers.push(await has())
    }
    assert.deepEqual(answers, [false, true, true])
  })
})
