import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const md5 = (text: string, encoding: BufferEncoding = 'utf8') => hash('md5', Buffer.from(text, encoding), 'hex')

onEachServer(
  'a blob',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('alice', ['members']))

    const createWith = (content: unknown) => bench.create('File', { 'file:content': content })
    const contentOf = async (uid: string) => (await bench.readProperties(uid))['file:content']
    const put = (uid: string, properties: object, user = 'Administrator') =>
      server.as(user).put(`/id/${uid}`, { 'entity-type': 'document', properties })

    describe('is shown', () => {
      test('with its name, type, digest, length as text, and a link to its bytes', async () => {
        const { uid } = await createWith({ data: 'some text', name: 'plan v2.txt' })
        const { changeToken } = await bench.read(uid)
        assert.deepEqual(Object.entries(await contentOf(uid)), [
          ['name', 'plan v2.txt'],
          ['mime-type', 'text/plain'],
          ['encoding', 'UTF-8'],
          ['digestAlgorithm', 'MD5'],
          ['digest', md5('some text')],
          ['length', '9'],
          ['data', `${server.url}nxfile/default/${uid}/file:content/plan%20v2.txt?changeToken=${changeToken}`],
        ])
      })

      const names = [
        { name: 'a.txt', linked: '/a.txt' },
        { name: 'C:\\dir\\été #1?.txt', linked: '/%C3%A9t%C3%A9%20%231%3F.txt' },
        { name: '/etc/passwd', linked: '/passwd' },
        { name: 'folder/', linked: '' },
        { name: undefined, linked: '' },
      ]
      for (const { name, linked } of names) {
        test(`under a link that ends in ${linked === '' ? 'its place' : linked} when it is called ${name}`, async () => {
          const { uid } = await createWith({ data: 'x', name })
          const { data } = await contentOf(uid)
          assert.equal(new URL(data).pathname, `/nxfile/default/${uid}/file:content${linked}`)
        })
      }

      test('by its index inside lists and by its name inside parts, under the prefix of its schema', async () => {
        const { uid } = await bench.create('Specimen', {
          'files:files': [{ file: { data: 'a' } }, { file: { data: 'b', name: 'b.txt' } }],
          'spc:rows': [{}, { picture: { data: 'c' } }],
          'spc:attachments': [{ data: 'd' }],
          'spc:attachment': { data: 'e' },
        })
        const properties = await bench.readProperties(uid)
        const place = (blob: Answered) => new URL(blob.data).pathname.replace(`/nxfile/default/${uid}/`, '')
        assert.deepEqual(
          properties['files:files'].map(({ file }: Answered) => place(file)),
          ['files:files/0/file', 'files:files/1/file/b.txt'],
        )
        assert.equal(properties['spc:rows'][0].picture, null)
        assert.equal(place(properties['spc:rows'][1].picture), 'spc:rows/1/picture')
        assert.equal(place(properties['spc:attachments'][0]), 'spc:attachments/0')
        assert.equal(place(properties['spc:attachment']), 'spc:attachment')
      })

      test('with the address that the client reached the server by', async () => {
        const { uid } = await createWith({ data: 'x' })
        const headers = { properties: 'file', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'dms.example' }
        const { data } = (await bench.read(uid, headers)).properties['file:content']
        assert.ok(data.startsWith(`https://dms.example/nxfile/default/${uid}/file:content`), data)
      })

      test('with both tokens of a proxy in its link', async () => {
        const { uid } = await createWith({ data: 'x' })
        const { uid: folder } = await bench.create('Folder')
        const proxy = await bench.read(await bench.createProxy(folder, uid), { properties: 'file' })
        const { data } = proxy.properties['file:content']
        assert.ok(data.endsWith(`/file:content?changeToken=${encodeURIComponent(proxy.changeToken)}`), data)
        assert.match(data, /changeToken=0-0%2F\d-\d$/)
      })

      test('with the links of other programs, of which the local store has none, to those who ask', async () => {
        const { uid } = await createWith({ data: 'x' })
        const { properties } = await bench.read(uid, { properties: 'file', 'enrichers-blob': 'appLinks,preview' })
        assert.deepEqual(properties['file:content'].appLinks, [])
        assert.ok(!('preview' in properties['file:content']) && !('appLinks' in (await contentOf(uid))))
      })
    })

    describe('is made of text', () => {
      const plain = { 'mime-type': 'text/plain', encoding: 'UTF-8' }
      const forms = [
        { sent: { data: 'hé' }, shown: { ...plain, name: null, digest: md5('hé'), length: '3' } },
        { sent: { content: 'hé' }, shown: { ...plain, name: null, digest: md5('hé'), length: '3' } },
        { sent: { data: 'x', name: 'a.txt' }, shown: { ...plain, name: 'a.txt', digest: md5('x'), length: '1' } },
        { sent: { data: 'x', filename: 'a.txt' }, shown: { ...plain, name: 'a.txt', digest: md5('x'), length: '1' } },
        { sent: { data: '' }, shown: { ...plain, name: null, digest: md5(''), length: '0' } },
        {
          sent: { data: '<p>', 'mime-type': 'text/html', encoding: 'ISO-8859-1', name: 'p.html' },
          shown: { 'mime-type': 'text/html', encoding: 'ISO-8859-1', name: 'p.html', digest: md5('<p>'), length: '3' },
        },
        {
          sent: { data: 'é', encoding: 'ISO-8859-1' },
          shown: { ...plain, encoding: 'ISO-8859-1', name: null, digest: md5('é', 'latin1'), length: '1' },
        },
        { sent: { 'entity-type': 'blob', data: 'x', size: 99 }, shown: { ...plain, name: null, digest: md5('x'), length: '1' } },
        { sent: { data: 'ftp://x' }, shown: { ...plain, name: null, digest: md5('ftp://x'), length: '7' } },
      ]
      for (const { sent, shown } of forms) {
        test(`sent as ${JSON.stringify(sent)}`, async () => {
          const { data, digestAlgorithm, ...rest } = await contentOf((await createWith(sent)).uid)
          assert.deepEqual(rest, shown)
          const { uid } = await createWith(null)
          await bench.update(uid, { 'file:content': sent })
          assert.equal((await contentOf(uid)).digest, shown.digest)
        })
      }
    })

    describe('stays as it is', () => {
      const ignored = [
        'text',
        5,
        true,
        [],
        {},
        { name: 'renamed.txt' },
        { data: 'http://elsewhere.example/nxfile/default/x/file:content' },
        { data: 'https://elsewhere.example/any.pdf', name: 'any.pdf' },
        { 'upload-batch': 'unknown', 'upload-fileId': '0' },
        { 'upload-batch': 'unknown', 'upload-fileId': 0 },
        { providerId: 'unknown', key: 'k' },
      ]
      for (const sent of ignored) {
        test(`when ${JSON.stringify(sent)} is sent for it`, async () => {
          const { uid } = await createWith({ data: 'kept', name: 'kept.txt' })
          const kept = await contentOf(uid)
          await bench.update(uid, { 'file:content': sent })
          assert.deepEqual(await contentOf(uid), kept)
        })
      }

      test('when it is sent back as it was shown', async () => {
        const { uid } = await createWith({ data: 'kept', name: 'kept.txt' })
        const kept = await contentOf(uid)
        await bench.update(uid, { 'file:content': kept, 'dc:title': 'changed' })
        const { data, ...rest } = await contentOf(uid)
        const { data: earlier, ...expected } = kept
        assert.deepEqual(rest, expected)
        assert.equal(new URL(data).pathname, new URL(earlier).pathname)
      })

      test('when it is sent back with the link of an earlier token, or without token', async () => {
        const { uid } = await createWith({ data: 'kept', name: 'kept.txt' })
        const { data, digest } = await contentOf(uid)
        for (const link of [data.replace(/\?.*/, ''), data.replace(/\?.*/, '?changeToken=99-99')]) {
          await bench.update(uid, { 'file:content': { data: link } })
          assert.equal((await contentOf(uid)).digest, digest)
        }
      })
    })

    test('is removed by null', async () => {
      const { uid } = await createWith({ data: 'gone' })
      await bench.update(uid, { 'file:content': null })
      assert.equal(await contentOf(uid), null)
    })

    describe('of another document', () => {
      test('is copied by its link, with its name and type', async () => {
        const source = await contentOf((await createWith({ data: 'shared', name: 'shared.txt' })).uid)
        const { uid } = await createWith({ data: 'own' })
        await bench.update(uid, { 'file:content': source })
        const { data, ...copied } = await contentOf(uid)
        const { data: link, ...expected } = source
        assert.deepEqual(copied, expected)
        assert.ok(data.includes(uid) && !link.includes(uid))
        assert.equal((await contentOf((await createWith({ data: link })).uid)).digest, source.digest)
        const short = link.slice(0, link.indexOf('/file:content'))
        assert.equal((await contentOf((await createWith({ data: short })).uid)).digest, source.digest)
      })

      test('is copied from inside its lists and parts into others', async () => {
        const from = await bench.create('Specimen', { 'spc:rows': [{ picture: { data: 'deep', name: 'deep.txt' } }] })
        const { picture } = (await bench.readProperties(from.uid))['spc:rows'][0]
        const { uid } = await bench.create('Specimen', { 'files:files': [{ file: picture }], 'spc:attachments': [picture] })
        const properties = await bench.readProperties(uid)
        assert.equal(properties['files:files'][0].file.digest, md5('deep'))
        assert.equal(properties['spc:attachments'][0].name, 'deep.txt')
      })

      test('is not taken for one of another server that has the same id', async () => {
        const { data } = await contentOf((await createWith({ data: 'shared' })).uid)
        const { uid } = await createWith({ data: 'own' })
        await bench.update(uid, { 'file:content': { data: data.replace('127.0.0.1', '127.0.0.9') } })
        assert.equal((await contentOf(uid)).digest, md5('own'))
      })

      test('cannot be copied by who may not read it', async () => {
        const hidden = await createWith({ data: 'secret' })
        const link = await contentOf(hidden.uid)
        await bench.restrict(hidden.uid, grant('alice', 'Browse'))
        const { uid } = await createWith({ data: 'own' })
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('alice', 'ReadWrite')] }])
        requireStatus(400, await put(uid, { 'file:content': link }, 'alice'))
        assert.equal((await contentOf(uid)).digest, md5('own'))
        requireStatus(200, await put(uid, { 'file:content': link }))
      })

      test('cannot be copied when the blob or the document is gone', async () => {
        const emptied = await createWith({ data: 'gone' })
        const removed = await createWith({ data: 'gone' })
        const links = [await contentOf(emptied.uid), await contentOf(removed.uid)]
        await bench.update(emptied.uid, { 'file:content': null })
        requireStatus(204, await server.as('Administrator').delete(`/id/${removed.uid}`))
        const { uid } = await createWith({ data: 'own' })
        for (const link of links) {
          const { message } = requireStatus(400, await put(uid, { 'file:content': link }))
          assert.ok(message.includes(link.data), message)
        }
        assert.equal((await contentOf(uid)).digest, md5('own'))
      })

      const wrongPlaces = ['file:content', 'unheard:of', 'dc:title', 'files:files/7/file', '']
      for (const place of wrongPlaces) {
        test(`cannot be copied from ${place === '' ? 'nowhere in particular' : place} when there is none`, async () => {
          const { uid: source } = await bench.create('File')
          const { uid } = await createWith({ data: 'own' })
          const link = `${server.url}nxfile/default/${source}/${place}`
          requireStatus(400, await put(uid, { 'file:content': { data: link } }))
          requireStatus(400, await put(uid, { 'files:files': [{ file: { data: link } }] }))
        })
      }

      test('is of no account when it is sent for a property that the document lacks', async () => {
        const { uid } = await bench.create('Folder')
        requireStatus(200, await put(uid, { 'file:content': { data: `${server.url}nxfile/default/nothing/file:content` } }))
      })
    })

    describe('in a list', () => {
      const createList = async () => {
        const files = ['a', 'b', 'c'].map((text) => ({ file: { data: text, name: `${text}.txt` } }))
        const { uid } = await bench.create('File', { 'files:files': files })
        return { uid, shown: (await bench.readProperties(uid))['files:files'] }
      }
      const namesOf = async (uid: string) =>
        (await bench.readProperties(uid))['files:files'].map(({ file }: Answered) => file && `${file.name} ${file.digest}`)
      const named = (...texts: readonly string[]) => texts.map((text) => `${text}.txt ${md5(text)}`)

      const orders = [
        { order: [0, 1, 2], left: ['a', 'b', 'c'], how: 'stay when all are sent back' },
        { order: [2, 0, 1], left: ['c', 'a', 'b'], how: 'are put in the order sent' },
        { order: [2], left: ['c'], how: 'are reduced to those sent' },
        { order: [1, 1], left: ['b', 'b'], how: 'are repeated' },
        { order: [], left: [], how: 'are all removed' },
      ]
      for (const { order, left, how } of orders) {
        test(`${how}: ${JSON.stringify(order)}`, async () => {
          const { uid, shown } = await createList()
          await bench.update(uid, { 'files:files': order.map((index) => shown[index]) })
          assert.deepEqual(await namesOf(uid), named(...left))
        })
      }

      test('is removed from an item that is sent without it', async () => {
        const { uid, shown } = await createList()
        await bench.update(uid, { 'files:files': [shown[0], {}, { file: null }] })
        assert.deepEqual(await namesOf(uid), [...named('a'), null, null])
      })

      test('is joined by new ones', async () => {
        const { uid, shown } = await createList()
        await bench.update(uid, { 'files:files': [{ file: { data: 'new', name: 'new.txt' } }, shown[1]] })
        assert.deepEqual(await namesOf(uid), named('new', 'b'))
      })

      test('is kept beside scalars that change', async () => {
        const { uid } = await bench.create('Specimen', { 'spc:rows': [{ label: 'a', picture: { data: 'p' } }] })
        const [row] = (await bench.readProperties(uid))['spc:rows']
        await bench.update(uid, { 'spc:rows': [{ ...row, label: 'b' }] })
        const [changed] = (await bench.readProperties(uid))['spc:rows']
        assert.deepEqual([changed.label, changed.picture.digest], ['b', md5('p')])
      })
    })

    test('can be fetched by its link even where it is called as a step of a path is', async () => {
      const names = ['.', '..', 'folder/..']
      const { uid } = await bench.create('File', { 'files:files': names.map((name) => ({ file: { data: 'x', name } })) })
      for (const { file } of (await bench.readProperties(uid))['files:files']) {
        const answer = await server.as('Administrator').call('GET', file.data.replace(server.url, ''))
        assert.deepEqual([answer.status, answer.text], [200, 'x'], file.data)
        assert.equal(answer.headers.get('content-disposition'), 'attachment; filename=file')
      }
    })

    describe('under the name of a field that is gone', () => {
      test('is renamed by file:filename, which reads as nothing', async () => {
        const { uid } = await createWith({ data: 'x', name: 'old.txt' })
        await bench.update(uid, { 'file:filename': 'new.txt' })
        const properties = await bench.readProperties(uid)
        assert.equal(properties['file:content'].name, 'new.txt')
        assert.ok(!('file:filename' in properties))
      })
    })
  },
  { plugins: [specimens], settings: { allowedHosts: ['dms.example'] } },
)
