import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attach, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer('1.1 GET /automation/files', (server) => {
  const bench = workbenchOn(server)
  const at = (uid: string, path: string, user = 'Administrator', root = 'api/v1/automation') =>
    download(server, `${root}/files/${uid}?path=${encodeURIComponent(path)}`, { user })

  async function aDocument() {
    const { uid } = await bench.create('File', { 'dc:title': 'with files' })
    await attach(server, uid, 'main', { name: 'main.txt', 'mime-type': 'text/plain' })
    await attach(server, uid, 'one', { xpath: 'files:files/0/file', name: 'one.txt' })
    await attach(server, uid, 'two', { xpath: 'files:files/1/file', name: 'two.txt' })
    return uid as string
  }

  test('downloads the file at the xpath, at each address', async () => {
    const uid = await aDocument()
    for (const root of ['api/v1/automation', 'site/automation', 'site/api/v1/automation']) {
      const { status, text, headers } = await at(uid, 'file:content', 'Administrator', root)
      assert.deepEqual([status, text], [200, 'main'])
      assert.match(headers.get('content-disposition') ?? '', /filename=main\.txt/)
    }
    assert.equal((await at(uid, 'files:files/1/file')).text, 'two')
  })

  test('gives the files of a list one behind the other', async () => {
    const { status, text, headers } = await at(await aDocument(), 'files:files')
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^multipart\/mixed; boundary="/)
    assert.match(text, /one[\s\S]*two/)
  })

  test('says so where there is no file', async () => {
    const uid = await aDocument()
    const { uid: empty } = await bench.create('File', {})
    const nowhere: [uid: string, path: string][] = [
      [uid, 'no:such'],
      [uid, 'dc:title'],
      [uid, 'dc:subjects'],
      [uid, ''],
      [uid, 'note:note'],
      [uid, 'files:files/7/file'],
      [empty, 'file:content'],
      [empty, 'files:files'],
    ]
    for (const [document, path] of nowhere) {
      const { status, text } = await at(document, path)
      assert.equal(status, 404, path)
      assert.match(text, /"message":"The document \S+ has no file at /)
    }
  })

  test('asks for the rights that reading takes', async () => {
    await server.addUser('unknown')
    const uid = await aDocument()
    await bench.restrict(uid)
    assert.equal((await at(uid, 'file:content', 'unknown')).status, 403)
    assert.equal((await at('no-such', 'file:content')).status, 404)
  })
})
