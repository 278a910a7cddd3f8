import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { aForm, attach, blobsOf, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer(
  '3.1 changing what @blob leads to',
  (server) => {
    const bench = workbenchOn(server)
    const at = (uid: string, xpath: string) => `api/v1/id/${uid}/@blob/${xpath}`
    const put = (uid: string, xpath: string, form: FormData, user = 'Administrator') =>
      download(server, at(uid, xpath), { method: 'PUT', body: form, user })
    const remove = (uid: string, xpath: string, user = 'Administrator') =>
      download(server, at(uid, xpath), { method: 'DELETE', user })

    describe('PUT', () => {
      test('stores the first file of the form with its name and type, and saves the document', async () => {
        const { uid, changeToken } = await bench.create('File')
        const bytes = randomBytes(300_000)
        const form = aForm(bytes, 'scan 1.png', { type: 'image/png' })
        form.append('other', new Blob(['not this']), 'other.txt')
        const answer = await put(uid, 'file:content', form)
        assert.deepEqual([answer.status, answer.text], [200, 'blob updated'])
        assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
        const saved = await bench.read(uid, { properties: 'file' })
        const { name, 'mime-type': type, length } = saved.properties['file:content']
        assert.deepEqual([name, type, length], ['scan 1.png', 'image/png', '300000'])
        assert.notEqual(saved.changeToken, changeToken)
        assert.ok((await download(server, at(uid, 'file:content'))).bytes.equals(bytes))
      })

      test('repairs a type that the part does not tell', async () => {
        const { uid } = await bench.create('File')
        await put(uid, 'file:content', aForm('x', 'report.pdf'))
        assert.equal((await bench.readProperties(uid))['file:content']['mime-type'], 'application/pdf')
        await put(uid, 'file:content', aForm(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 'unknown.nothing'))
        assert.equal((await bench.readProperties(uid))['file:content']['mime-type'], 'application/octet-stream')
      })

      for (const name of ['two words.txt', 'שלום עולם.txt', 'fox 🦊.txt', 'a;b=c.txt', "it's.txt"]) {
        test(`keeps the name ${name}`, async () => {
          const { uid } = await bench.create('File')
          await put(uid, 'file:content', aForm('x', name, { type: 'text/plain' }))
          assert.equal((await bench.readProperties(uid))['file:content'].name, name)
        })
      }

      test('takes an empty file', async () => {
        const { uid } = await bench.create('File')
        assert.equal((await put(uid, 'file:content', aForm('', 'empty.txt'))).status, 200)
        assert.equal((await bench.readProperties(uid))['file:content'].length, '0')
      })

      test('reaches into lists, adds to them, and finds the main file by its number', async () => {
        const { uid } = await bench.create('File', { 'files:files': [{ file: { data: 'old', name: 'old.txt' } }] })
        await put(uid, 'files:files/0/file', aForm('first', 'first.txt'))
        await put(uid, 'files/1/file', aForm('second', 'second.txt'))
        await put(uid, 'blobholder:0', aForm('main', 'main.txt'))
        await put(uid, 'blobholder:2', aForm('other second', 'second.txt'))
        const properties = await bench.readProperties(uid)
        assert.equal(properties['file:content'].name, 'main.txt')
        assert.deepEqual(
          properties['files:files'].map((item: { file: { name: string } }) => item.file.name),
          ['first.txt', 'second.txt'],
        )
        assert.equal((await download(server, at(uid, 'files:files/1/file'))).text, 'other second')
      })

      test('fills a list in any order: what is skipped has no file, until it is sent', async () => {
        const { uid } = await bench.create('File')
        const namesIn = async () =>
          (await bench.readProperties(uid))['files:files'].map((item: { file: { name: string } | null }) => item.file?.name)
        assert.equal((await put(uid, 'files:files/2/file', aForm('third', 'third.txt'))).status, 200)
        assert.deepEqual(await namesIn(), [undefined, undefined, 'third.txt'])
        assert.equal((await download(server, at(uid, 'files:files/0/file'))).status, 404)
        assert.equal((await put(uid, 'files:files/0/file', aForm('first', 'first.txt'))).status, 200)
        assert.deepEqual(await namesIn(), ['first.txt', undefined, 'third.txt'])
      })

      for (const [option, label] of [
        ['major', '1.0'],
        ['minor', '0.1'],
      ] as const) {
        test(`makes a ${option} version when the field versioning says so, before or behind the file`, async () => {
          for (const isFirst of [true, false]) {
            const { uid } = await bench.create('File')
            const form = aForm('x', 'a.txt', isFirst ? { fields: { versioning: option } } : {})
            if (!isFirst) form.set('versioning', option)
            assert.equal((await put(uid, 'file:content', form)).status, 200)
            assert.equal((await bench.read(uid, { 'fetch-document': 'versionLabel' })).versionLabel, label)
          }
        })
      }

      test('refuses another word for versioning', async () => {
        const { uid } = await bench.create('File')
        assert.equal((await put(uid, 'file:content', aForm('x', 'a.txt', { fields: { versioning: 'huge' } }))).status, 400)
        assert.equal((await bench.readProperties(uid))['file:content'], null)
      })

      test('refuses a body without a file with 400', async () => {
        const { uid } = await bench.create('File')
        const fieldsOnly = new FormData()
        fieldsOnly.set('versioning', 'major')
        assert.equal((await put(uid, 'file:content', fieldsOnly)).status, 400)
        const others = [
          { body: 'raw bytes', headers: { 'content-type': 'application/octet-stream' } },
          { body: '{}', headers: { 'content-type': 'application/json' } },
          { body: '--x--', headers: { 'content-type': 'multipart/form-data' } },
          { body: 'broken', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
          {},
        ]
        for (const asked of others) {
          const answer = await download(server, at(uid, 'file:content'), { method: 'PUT', ...asked })
          assert.equal(answer.status, 400, JSON.stringify(asked))
        }
        assert.equal((await bench.readProperties(uid))['file:content'], null)
      })

      test('refuses what is no place for a file with 400', async () => {
        const { uid } = await bench.create('File')
        const nowhere = [
          'dc:title',
          'file:nothing',
          'note:note',
          'picture:views/0/content',
          'cover',
          'blobholder:3',
          'blobholder:01',
          'files:files/5000/file',
        ]
        for (const xpath of nowhere) assert.equal((await put(uid, xpath, aForm('x', 'a.txt'))).status, 400, xpath)
      })

      test('refuses the text of a note, and says where to change it', async () => {
        const { uid } = await bench.create('Note', { 'note:note': 'text' })
        const answer = await put(uid, 'blobholder:0', aForm('x', 'a.txt'))
        assert.equal(answer.status, 400)
        assert.match(JSON.parse(answer.text).message, /note:note/)
      })

      test('needs WriteProperties, and stores nothing for those who lack it', async () => {
        const { uid } = await bench.create('File')
        await server.addUser('putter')
        await bench.restrict(uid, grant('putter', 'Read'))
        const secret = `secret ${randomBytes(8).toString('hex')}`
        assert.equal((await put(uid, 'file:content', aForm(secret, 'a.txt'), 'putter')).status, 403)
        const { key } = await blobsOf(server).write(Buffer.from(`${secret} other`))
        assert.ok(await blobsOf(server).has(key))
        for await (const listed of blobsOf(server).list()) {
          const content = await blobsOf(server).read(listed.key)
          assert.notEqual(String(Buffer.concat(await content.toArray())), secret)
        }
        await bench.restrict(uid, grant('putter', 'Read'), grant('putter', 'WriteProperties'))
        assert.equal((await put(uid, 'file:content', aForm(secret, 'a.txt'), 'putter')).status, 200)
      })

      test('refuses with 413 what is larger than a request may be', async () => {
        const { uid } = await bench.create('File')
        assert.equal((await put(uid, 'file:content', aForm(randomBytes(2_100_000), 'a.bin'))).status, 413)
        assert.equal((await bench.readProperties(uid))['file:content'], null)
        assert.equal((await put(uid, 'file:content', aForm('small', 'a.bin'))).status, 200)
      })

      test('of a missing document is 404, and of nobody 401', async () => {
        const { uid } = await bench.create('File')
        assert.equal((await put('nothing', 'file:content', aForm('x', 'a.txt'))).status, 404)
        assert.equal(
          (await download(server, at(uid, 'file:content'), { method: 'PUT', body: aForm('x', 'a'), user: null })).status,
          401,
        )
      })

      test('writes through a proxy', async () => {
        const { uid } = await bench.create('File')
        const folder = await bench.create('Folder')
        const proxy = await bench.createProxy(folder.uid, uid)
        assert.equal((await put(proxy, 'file:content', aForm('through', 'a.txt'))).status, 200)
        assert.equal((await download(server, at(uid, 'file:content'))).text, 'through')
      })
    })

    describe('DELETE', () => {
      test('takes the file out of the document, and says nothing', async () => {
        const { uid } = await bench.create('File')
        await attach(server, uid, 'x')
        const answer = await remove(uid, 'file:content')
        assert.deepEqual([answer.status, answer.bytes.length], [204, 0])
        assert.equal((await bench.readProperties(uid))['file:content'], null)
        assert.equal((await download(server, at(uid, 'file:content'))).status, 404)
      })

      test('of what is not there changes nothing', async () => {
        const { uid, changeToken } = await bench.create('File')
        for (const xpath of ['file:content', 'blobholder:0', 'files:files/3/file'])
          assert.equal((await remove(uid, xpath)).status, 204, xpath)
        assert.equal((await bench.read(uid)).changeToken, changeToken)
        assert.deepEqual((await bench.readProperties(uid))['files:files'], [])
      })

      test('leaves an item of a list in its place, without a file', async () => {
        const { uid } = await bench.create('File', {
          'files:files': [{ file: { data: 'one', name: '1' } }, { file: { data: 'two', name: '2' } }],
        })
        assert.equal((await remove(uid, 'files:files/0/file')).status, 204)
        const { 'files:files': files } = await bench.readProperties(uid)
        assert.deepEqual([files.length, files[0].file, files[1].file.name], [2, null, '2'])
      })

      test('refuses what is no place for a file with 400, and who may not write with 403', async () => {
        const { uid } = await bench.create('File')
        await attach(server, uid, 'x')
        for (const xpath of ['dc:title', 'file:nothing', 'note:note', 'blobholder:x'])
          assert.equal((await remove(uid, xpath)).status, 400, xpath)
        await server.addUser('remover')
        await bench.restrict(uid, grant('remover', 'Read'))
        assert.equal((await remove(uid, 'file:content', 'remover')).status, 403)
        assert.equal((await remove('nothing', 'file:content')).status, 404)
        assert.equal((await download(server, at(uid, 'file:content'))).text, 'x')
      })
    })
  },
  { settings: { uploadMaxBytes: '2MB' } },
)
