import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { assertError, beginBatch, fileOf } from '../support/uploads.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const md5 = (content: string) => hash('md5', content, 'hex')

onEachServer(
  'an object sent for a blob',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('alice', ['members']))
    const put = (uid: string, properties: object, user = 'Administrator') =>
      server.as(user).put(`/id/${uid}`, { 'entity-type': 'document', properties })
    const aFile = async (text = 'own') => {
      const { uid } = await bench.create('File', { 'file:content': { data: text, name: `${text}.txt` } })
      return { uid, content: (await bench.readProperties(uid))['file:content'] }
    }
    const digestOf = async (uid: string) => (await bench.readProperties(uid))['file:content']?.digest
    const uploaded = async (content: string | Uint8Array = 'uploaded') => {
      const batch = await beginBatch(server)
      await batch.send(0, content, { 'X-File-Name': 'u.txt' })
      return batch
    }

    describe('2.2 is read in the first way that fits', () => {
      const keyOf = (text: string) => ({ providerId: 'default', key: md5(text) })
      const rows: readonly (readonly [what: string, sent: (link: string) => object, text: string])[] = [
        ['text before a key and an upload', () => ({ data: 'text', ...keyOf('stored') }), 'text'],
        ['text in the other word', () => ({ content: 'text', ...keyOf('stored') }), 'text'],
        ['a link of this server before a key and an upload', (link) => ({ data: link, ...keyOf('stored') }), 'linked'],
        ['a key before an upload', () => keyOf('stored'), 'stored'],
        ['an upload behind a link to elsewhere', () => ({ data: 'http://elsewhere.example/a.txt' }), 'uploaded'],
        ['an upload behind a provider that is unknown', () => ({ providerId: 'p', key: md5('stored') }), 'uploaded'],
        ['an upload behind a key without provider', () => ({ key: md5('stored') }), 'uploaded'],
      ]
      for (const [what, sent, text] of rows) {
        test(what, async () => {
          const linked = await aFile('linked')
          await aFile('stored')
          const { uid } = await aFile()
          const batch = await uploaded()
          await bench.update(uid, { 'file:content': { ...fileOf(batch), ...sent(linked.content.data) } })
          assert.equal(await digestOf(uid), md5(text))
        })
      }

      test('which fails where the link leads nowhere, whatever else the object says', async () => {
        const { uid } = await aFile()
        const batch = await uploaded()
        const data = `${server.url}nxfile/default/nothing/file:content`
        requireStatus(400, await put(uid, { 'file:content': { ...fileOf(batch), data } }))
        assert.equal(await digestOf(uid), md5('own'))
        assert.equal((await batch.get()).status, 200)
      })
    })

    describe('2.2 may be the key of a blob', () => {
      test('that is in the store, with the name and type that are sent along', async () => {
        await aFile('by key')
        const { uid } = await aFile()
        const sent = { providerId: 'default', key: md5('by key'), name: 'k.txt', 'mime-type': 'text/x-own', encoding: 'UTF-8' }
        await bench.update(uid, { 'file:content': sent })
        const { data, ...shown } = (await bench.readProperties(uid))['file:content']
        assert.deepEqual(shown, {
          name: 'k.txt',
          'mime-type': 'text/x-own',
          encoding: 'UTF-8',
          digestAlgorithm: 'MD5',
          digest: md5('by key'),
          length: '6',
        })
        assert.equal((await server.as('Administrator').get(`/id/${uid}/@blob/file:content`)).text, 'by key')
      })

      test('for administrators only: 401, and nothing is changed', async () => {
        await aFile('secret')
        const { uid } = await aFile()
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('alice', 'ReadWrite')] }])
        const sent = { 'file:content': { providerId: 'default', key: md5('secret') }, 'dc:title': 'changed' }
        const { message } = requireStatus(401, await put(uid, sent, 'alice'))
        assert.match(message, /Only administrators/)
        assert.equal(await digestOf(uid), md5('own'))
        assert.notEqual((await bench.read(uid)).title, 'changed')
      })

      for (const key of ['0'.repeat(32), '../../etc/passwd', 'x', '0'.repeat(64)]) {
        test(`that is in the store, unlike ${key}: 400`, async () => {
          const { uid } = await aFile()
          requireStatus(400, await put(uid, { 'file:content': { providerId: 'default', key } }))
          assert.equal(await digestOf(uid), md5('own'))
        })
      }

      for (const sent of [
        { providerId: 'p', key: 'k' },
        { providerId: 'default' },
        { providerId: 'default', key: 5 },
        { key: 'k' },
      ]) {
        test(`and is ignored when it names none: ${JSON.stringify(sent)}`, async () => {
          const { uid } = await aFile()
          await bench.setAcls(uid, [{ name: 'local', aces: [grant('alice', 'ReadWrite')] }])
          requireStatus(200, await put(uid, { 'file:content': sent }, 'alice'))
          assert.equal(await digestOf(uid), md5('own'))
        })
      }
    })

    describe('2.2 may be sent for a text, which is then what is in the blob', () => {
      const textAfter = async (sent: object, type = 'Note', property = 'note:note') => {
        const { uid } = await bench.create(type, { [property]: sent })
        const created = (await bench.readProperties(uid))[property]
        const other = await bench.create(type)
        await bench.update(other.uid, { [property]: sent })
        return { created, updated: (await bench.readProperties(other.uid))[property] }
      }

      test('sent with it', async () => {
        assert.equal((await textAfter({ data: 'in the object' })).created, 'in the object')
      })

      test('uploaded before, and the batch is dropped', async () => {
        const batch = await uploaded('naïve 😀')
        const { uid } = await bench.create('Note', { 'note:note': fileOf(batch) })
        assert.equal((await bench.readProperties(uid))['note:note'], 'naïve 😀')
        assertError(await batch.get(), 404, /./)
      })

      test('of another document', async () => {
        const { content } = await aFile('linked text')
        assert.deepEqual(await textAfter(content), { created: 'linked text', updated: 'linked text' })
      })

      test('by its key', async () => {
        await aFile('keyed text')
        const sent = { providerId: 'default', key: md5('keyed text') }
        assert.deepEqual(await textAfter(sent), { created: 'keyed text', updated: 'keyed text' })
      })

      test('in any field of long text', async () => {
        const { content } = await aFile('memo')
        assert.equal((await textAfter(content, 'Specimen', 'spc:memo')).created, 'memo')
      })

      const refused: readonly (readonly [what: string, sent: () => Promise<object> | object])[] = [
        ['a link that leads nowhere', () => ({ data: `${server.url}nxfile/default/nothing/file:content` })],
        ['a file that was not uploaded', () => ({ 'upload-batch': 'batchId-x', 'upload-fileId': '0' })],
        ['an object that is none', () => ({ name: 'a.txt' })],
        ['a file that is larger than a text may be', async () => fileOf(await uploaded(Buffer.alloc(16 * 1024 * 1024 + 1, 'x')))],
      ]
      for (const [what, sent] of refused) {
        test(`but not ${what}: 400`, async () => {
          const { uid } = await bench.create('Note', { 'note:note': 'kept' })
          requireStatus(400, await put(uid, { 'note:note': await sent() }))
          assert.equal((await bench.readProperties(uid))['note:note'], 'kept')
        })
      }

      test('but not of a document that the caller may not read', async () => {
        const hidden = await aFile('hidden')
        await bench.restrict(hidden.uid, grant('alice', 'Browse'))
        const { uid } = await bench.create('Note', { 'note:note': 'kept' })
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('alice', 'ReadWrite')] }])
        requireStatus(400, await put(uid, { 'note:note': hidden.content }, 'alice'))
        assert.equal((await bench.readProperties(uid))['note:note'], 'kept')
      })

      test('but not for a short text, which nobody sends as a file', async () => {
        const { uid } = await bench.create('Note')
        requireStatus(400, await put(uid, { 'dc:title': { data: 'x' } }))
      })
    })
  },
  { plugins: [specimens] },
)
