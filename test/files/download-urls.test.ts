import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blob, defineDocumentType, definePlugin, defineSchema } from '../../src/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createPrincipal } from '../../src/model/rights/principal.ts'
import type { Authenticator } from '../../src/rest/authenticator.ts'
import { attach, basic, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const anonymous: Authenticator = {
  name: 'GUEST_AUTH',
  admitsAnonymous: true,
  identify: async ({ headers }) =>
    headers['x-anonymous'] === undefined
      ? { kind: 'none' }
      : { kind: 'known', principal: createPrincipal('Guest', [], { isAdministrator: false, isAnonymous: true }) },
}

const plugin = definePlugin({
  name: 'sleeves',
  authenticators: [anonymous],
  schemas: [defineSchema('sleeve', { fields: { back: blob() } })],
  documentTypes: [defineDocumentType('Sleeve', { extends: 'File', schemas: ['sleeve'] })],
})

onEachServer(
  '3.3 download addresses outside the API',
  (server) => {
    const bench = workbenchOn(server)
    const get = (path: string, asked?: Parameters<typeof download>[2]) => download(server, path, asked)

    async function aFile(): Promise<string> {
      const { uid } = await bench.create('Sleeve')
      await attach(server, uid, 'main', { name: 'main.txt', 'mime-type': 'text/plain' })
      await attach(server, uid, 'attached', { name: 'attached.txt', xpath: 'files:files/0/file' })
      await attach(server, uid, 'back', { name: 'back.txt', xpath: 'sleeve:back' })
      return uid
    }

    test('the address that a document shows is where its file is', async () => {
      for (const name of [
        'plan v2.txt',
        'a;b.txt',
        '@home.txt',
        'a#b?c.txt',
        '100%.txt',
        '%41.txt',
        'שלום 🦊.txt',
        'say "hi".txt',
        'name',
        'length',
        'two\nlines',
        'a+b',
        'data',
      ]) {
        const { uid } = await bench.create('File')
        await attach(server, uid, `content of ${name}`, { name })
        const { data } = (await bench.readProperties(uid))['file:content']
        const answer = await fetch(data, { headers: { authorization: basic('Administrator') } })
        assert.deepEqual([answer.status, await answer.text()], [200, `content of ${name}`], data)
        const [, plain, encoded] = /filename(?:=(.*)|\*=UTF-8''(.*))$/.exec(answer.headers.get('content-disposition') ?? '') ?? []
        assert.equal(plain ?? decodeURIComponent(encoded ?? ''), name)
      }
    })

    test('nxfile and nxbigfile give the blob at the xpath, under the name of the address or its own', async () => {
      const uid = await aFile()
      const rows: [tail: string, text: string, name: string][] = [
        ['', 'main', 'main.txt'],
        ['/', 'main', 'main.txt'],
        ['/file:content', 'main', 'main.txt'],
        ['/file:content/', 'main', 'main.txt'],
        ['/file:content/other.doc', 'main', 'other.doc'],
        ['/file;content/other.doc', 'main', 'other.doc'],
        ['/file%3Acontent/other.doc', 'main', 'other.doc'],
        ['/files:files/0/file', 'attached', 'attached.txt'],
        ['/files:files/0/file/renamed.txt', 'attached', 'renamed.txt'],
        ['/files:files/0/file/file', 'attached', 'file'],
        ['/files;files/0/file/a.txt', 'attached', 'a.txt'],
        ['/sleeve:back/b.txt', 'back', 'b.txt'],
        ['/blobholder:0', 'main', 'main.txt'],
        ['/blobholder:1/b.txt', 'attached', 'b.txt'],
        ['/file:content/a.txt?changeToken=7-3&inline=false', 'main', 'a.txt'],
        ['/file:content/@a.txt', 'main', null as never],
      ]
      for (const root of ['nxfile', 'nxbigfile']) {
        for (const [tail, text, name] of rows) {
          const answer = await get(`${root}/default/${uid}${tail}`)
          assert.deepEqual([answer.status, answer.text], [200, text], tail)
          const disposition = answer.headers.get('content-disposition')
          if (name !== null) assert.equal(disposition, `attachment; filename=${name}`, tail)
          else assert.equal(disposition, "attachment; filename*=UTF-8''%40a.txt")
        }
      }
    })

    test('answer 404 for what is no address, no document or no blob', async () => {
      const uid = await aFile()
      const folder = await bench.create('Folder')
      const nowhere = [
        'nxfile',
        'nxfile/default',
        `nxfile/nothing/${uid}/file:content`,
        'nxfile/default/nothing',
        'nxfile/default/nothing/file:content/a.txt',
        `nxfile/default/${uid}/content`,
        `nxfile/default/${uid}/content/a.txt`,
        `nxfile/default/${uid}/files/0/file/a.txt`,
        `nxfile/default/${uid}/nothing:content/a.txt`,
        `nxfile/default/${uid}/file:nothing/a.txt`,
        `nxfile/default/${uid}/dc:title/a.txt`,
        `nxfile/default/${uid}/files:files/7/file/a.txt`,
        `nxfile/default/${uid}/file:content/a/b`,
        `nxfile/default/${uid}/blobholder:01/a.txt`,
        `nxfile/default/${uid}/blobholder:9/a.txt`,
        `nxfile/default/${uid}/%E0%A4%A`,
        `nxfile/default/${folder.uid}/file:content`,
        `nxdownloadinfo/default/${uid}`,
        `nxdownloadinfo/default/${uid}/file:nothing/a.txt`,
        'nxdownloadinfo/default/nothing/file:content/a.txt',
      ]
      for (const path of nowhere) assert.equal((await get(path)).status, 404, path)
    })

    test('answer 404 for a document that may not be read, as if it were not there', async () => {
      const uid = await aFile()
      await server.addUser('outsider')
      await bench.restrict(uid)
      const there = await get(`nxfile/default/${uid}/file:content`, { user: 'outsider' })
      const missing = await get('nxfile/default/00000000-0000-7000-8000-000000000000/file:content', { user: 'outsider' })
      assert.equal(there.status, 404)
      assert.equal(there.text, missing.text.replace('00000000-0000-7000-8000-000000000000', uid))
      await bench.restrict(uid, grant('outsider', 'Read'))
      assert.equal((await get(`nxfile/default/${uid}/file:content`, { user: 'outsider' })).status, 200)
    })

    test('ask nobody in particular for credentials instead', async () => {
      const uid = await aFile()
      const guest = { user: null, headers: { 'x-anonymous': '1' } }
      for (const id of [uid, 'nothing']) {
        const answer = await get(`nxfile/default/${id}/file:content`, guest)
        assert.equal(answer.status, 401, id)
      }
      await bench.restrict(uid, grant('Guest', 'Read'))
      assert.equal((await get(`nxfile/default/${uid}/file:content`, guest)).text, 'main')
    })

    test('are for those only who say who they are, also where nothing is', async () => {
      const uid = await aFile()
      const paths = [
        `nxfile/default/${uid}`,
        'nxfile/nothing',
        'nxbigfile/x/y',
        'nxbigblob/x',
        'nxbigzipfile/x',
        'nxblobstatus/x',
        'nxdownloadinfo/a/b/c',
      ]
      for (const path of paths) assert.equal((await get(path, { user: null })).status, 401, path)
    })

    test('answer GET and HEAD alone', async () => {
      const uid = await aFile()
      const path = `nxfile/default/${uid}/file:content/a.txt`
      const head = await get(path, { method: 'HEAD' })
      assert.deepEqual([head.status, head.headers.get('content-length'), head.bytes.length], [200, '4', 0])
      for (const method of ['POST', 'PUT', 'DELETE']) assert.equal((await get(path, { method })).status, 405, method)
    })

    test('take the repository of the address, whatever the headers say', async () => {
      const uid = await aFile()
      assert.equal((await get(`nxfile/default/${uid}/file:content`, { headers: { 'X-NXRepository': 'nothing' } })).status, 200)
    })

    test('nxdownloadinfo tells type, name and address', async () => {
      const { uid } = await bench.create('File')
      await attach(server, uid, 'x', { name: 'naïve plan:1.txt', 'mime-type': 'text/plain' })
      const answer = await get(`nxdownloadinfo/default/${uid}/file:content/na%C3%AFve%20plan%3A1.txt`)
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
      const { data } = (await bench.readProperties(uid))['file:content']
      assert.equal(answer.text, `text/plain:na%C3%AFve+plan%3A1.txt:${data}`)
      assert.equal((await fetch(data, { headers: { authorization: basic('Administrator') } })).status, 200)
    })
  },
  { plugins: [plugin], settings: { authChain: ['BASIC_AUTH', 'GUEST_AUTH', 'FORM_AUTH'] } },
)
