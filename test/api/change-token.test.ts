import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { assertRefused, changesTo, inFull } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const hello = { name: 'hello.txt', 'mime-type': 'text/plain', data: 'hello' }

onEachServer('the change token', (server) => {
  const bench = workbenchOn(server)
  const put = (uid: string, properties: { [name: string]: unknown }, others = {}) =>
    server.as('Administrator').put(`/id/${uid}`, changesTo(properties, others), inFull)
  const save = async (uid: string, properties: { [name: string]: unknown }, others = {}) =>
    requireStatus(200, await put(uid, properties, others)).changeToken
  const saveAsServer = (uid: string) =>
    server.asSystem((session) => saveDocument(session, uid, { 'dc:source': crypto.randomUUID() }))

  describe('counts', () => {
    test('from 0-0', async () => {
      assert.equal((await bench.create('File')).changeToken, '0-0')
      assert.equal((await bench.create('Folder')).changeToken, '0-0')
    })
    test('every stored change in its first number', async () => {
      const { uid } = await bench.create('File')
      assert.equal(await save(uid, { 'dc:title': 'one' }), '1-0')
      assert.equal(await save(uid, { 'dc:title': 'two' }), '2-0')
      await saveAsServer(uid)
      assert.equal((await bench.read(uid)).changeToken, '3-0')
    })
    test('a change that carried the token in its second number', async () => {
      const { uid } = await bench.create('File')
      assert.equal(await save(uid, { 'dc:title': 'one' }, { uid, changeToken: '0-0' }), '1-1')
      assert.equal(await save(uid, { 'dc:title': 'two' }), '2-1')
      assert.equal(await save(uid, { 'dc:title': 'three' }, { uid, changeToken: '2-1' }), '3-2')
    })
    test('a change of a blob in its second number', async () => {
      const { uid } = await bench.create('File')
      assert.equal(await save(uid, { 'file:content': hello }), '1-1')
      assert.equal(await save(uid, { 'dc:title': 'described' }), '2-1')
      assert.equal(await save(uid, { 'files:files': [{ file: hello }] }), '3-2')
      assert.equal(await save(uid, { 'file:content': null }), '4-3')
    })
    test('another name or type of a file in its second number', async () => {
      const { uid } = await bench.create('File', { 'file:content': hello })
      assert.equal(await save(uid, { 'file:content': { ...hello, name: 'other.txt' } }), '1-1')
      const typed = { ...hello, name: 'other.txt', 'mime-type': 'text/html' }
      assert.equal(await save(uid, { 'file:content': typed }), '2-2')
      assert.equal(await save(uid, { 'file:content': typed }), '2-2')
    })
    test('nothing where nothing changes', async () => {
      const { uid } = await bench.create('File', { 'dc:title': 'same' })
      assert.equal(await save(uid, { 'dc:title': 'same' }), '0-0')
      assert.equal(await save(uid, { 'dc:title': 'same' }, { uid, changeToken: '0-0' }), '0-0')
    })
  })

  describe('that was read before', () => {
    const refusedTokens = ['9999-1234', '0-1', '5-1', '0-', '0', 'nonsense', '0-0-0', '0-00', '0-0/0-0', ' 0 - 0 ']
    for (const changeToken of refusedTokens) {
      test(`is refused when it is another: ${changeToken}`, async () => {
        const created = await bench.create('File', { 'dc:title': 'T' }, { headers: inFull })
        const { uid } = created
        assertRefused(await put(uid, { 'dc:title': 'no' }, { uid, changeToken }), 409, uid)
        assert.deepEqual(await bench.read(uid, inFull), created)
      })
    }
    test('is refused when somebody changed the document with a token since', async () => {
      const { uid, changeToken } = await bench.create('File')
      await save(uid, { 'dc:title': 'first' }, { uid, changeToken })
      assertRefused(await put(uid, { 'dc:title': 'second' }, { uid, changeToken }), 409, uid)
      assert.equal((await bench.read(uid)).title, 'first')
    })
    test('is refused when somebody changed a blob since', async () => {
      const { uid, changeToken } = await bench.create('File')
      await save(uid, { 'file:content': hello })
      assertRefused(await put(uid, { 'dc:title': 'second' }, { uid, changeToken }), 409, uid)
    })
    test('is refused even where nothing would change', async () => {
      const { uid } = await bench.create('File', { 'dc:title': 'same' })
      assertRefused(await put(uid, { 'dc:title': 'same' }, { uid, changeToken: '9999-1234' }), 409, uid)
    })
    test('is accepted when others changed it without one', async () => {
      const { uid, changeToken } = await bench.create('File')
      await save(uid, { 'dc:title': 'careless' })
      await saveAsServer(uid)
      assert.equal(await save(uid, { 'dc:title': 'careful' }, { uid, changeToken }), '3-1')
    })
    test('is compared by its second number alone', async () => {
      const { uid } = await bench.create('File')
      assert.equal(await save(uid, { 'dc:title': 'far' }, { uid, changeToken: '999-0' }), '1-1')
    })
    for (const changeToken of [undefined, null, '', '  ']) {
      test(`is not looked at when it is ${JSON.stringify(changeToken)}`, async () => {
        const { uid } = await bench.create('File')
        assert.equal(await save(uid, { 'dc:title': 'x' }, { uid, changeToken }), '1-0')
      })
    }
    test('is not looked at without the id it belongs to', async () => {
      const { uid } = await bench.create('File')
      for (const others of [{ changeToken: '9999-1234' }, { uid: null, changeToken: '9999-1234' }]) {
        await save(uid, { 'dc:title': crypto.randomUUID() }, others)
      }
      assert.equal((await bench.read(uid)).changeToken, '2-0')
    })
    test('is accepted by PUT as it was answered', async () => {
      const { uid } = await bench.create('File')
      const entity = await bench.read(uid, inFull)
      const changed = { ...entity, properties: { ...entity.properties, 'dc:title': 'round trip' } }
      assert.equal(requireStatus(200, await server.as('Administrator').put(`/id/${uid}`, changed)).title, 'round trip')
    })
  })

  describe('of several at the same time', () => {
    test('lets one through and tells the others', async () => {
      const { uid, changeToken } = await bench.create('File')
      const titles = ['a', 'b', 'c', 'd', 'e', 'f']
      const answers = await Promise.all(titles.map((title) => put(uid, { 'dc:title': title }, { uid, changeToken })))
      const winners = answers.filter((answer) => answer.status === 200)
      assert.equal(winners.length, 1)
      for (const answer of answers.filter((one) => one.status !== 200)) assertRefused(answer, 409, uid)
      const { title, changeToken: after } = await bench.read(uid)
      assert.equal(title, winners[0]?.body.title)
      assert.equal(after, '1-1')
    })
    test('that carry none lets the last one win and loses no other property', async () => {
      const { uid } = await bench.create('File')
      const names = ['dc:title', 'dc:rights', 'dc:source', 'dc:language', 'dc:format', 'dc:publisher']
      await Promise.all(names.map((name) => save(uid, { [name]: name })))
      const { properties, changeToken } = await bench.read(uid, inFull)
      for (const name of names) assert.equal(properties[name], name)
      assert.equal(changeToken, '6-0')
    })
  })
})

onEachServer(
  'the change token, switched off,',
  (server) => {
    const bench = workbenchOn(server)
    test('is the time of the last change, and nothing is compared', async () => {
      const { uid } = await bench.create('File')
      const { changeToken, lastModified } = await bench.read(uid)
      assert.equal(changeToken, String(Date.parse(lastModified)))
      const sent = changesTo({ 'dc:title': 'changed' }, { uid, changeToken: '9999-1234' })
      assert.equal((await server.as('Administrator').put(`/id/${uid}`, sent)).status, 200)
    })
    test('is null where that time is unknown', async () => {
      assert.equal((await server.as('Administrator').get('/path/')).body.changeToken, null)
    })
  },
  { settings: { changeTokenEnabled: false } },
)
