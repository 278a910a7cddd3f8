import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/acl.ts'
import { assertRefused, changesTo, inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const unknownId = '00000000-0000-4000-8000-000000000000'

onEachServer('several documents at once', (server) => {
  const bench = workbenchOn(server)
  let documents: Answered[] = []
  let secret = ''
  before(async () => {
    await server.addUser('bob', ['members'])
    documents = [await bench.create('File'), await bench.create('Folder'), await bench.create('Note')]
    secret = (await bench.create('File')).uid
    await bench.restrict(secret)
  })
  const address = (...ids: readonly string[]) => `/bulk${ids.map((id) => `;id=${id}`).join('')}`
  const idsOf = (list: Answered) => list.entries.map((entry: { uid: string }) => entry.uid)
  const createThree = async () => {
    const created = [await bench.create('File'), await bench.create('File'), await bench.create('Folder')]
    return created.map((document) => document.uid)
  }
  const titlesOf = async (ids: readonly string[]) => {
    const titles: string[] = []
    for (const id of ids) titles.push((await bench.read(id)).title)
    return titles
  }

  describe('are read', () => {
    test('in the order asked for, without pages', async () => {
      const ids = documents.map((document) => document.uid).reverse()
      const answer = await server.as('Administrator').get(address(...ids))
      assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=documents')
      const list = requireStatus(200, answer)
      assert.deepEqual(idsOf(list), ids)
      assert.equal(list['entity-type'], 'documents')
      const others = Object.keys(list).filter((field) => field !== 'totalSize')
      assert.deepEqual(others, ['entity-type', 'entries'])
    })
    test('each as it is shown by itself', async () => {
      const ids = documents.map((document) => document.uid)
      const { entries } = requireStatus(200, await server.as('Administrator').get(address(...ids), inFull))
      for (const entry of entries) assert.deepEqual(entry, await bench.read(entry.uid, inFull))
    })
    test('below their repository too, and with ids encoded', async () => {
      const [first] = documents
      for (const path of [
        `/repo/default${address(first.uid)}`,
        `/bulk;id=${first.uid.replaceAll('-', '%2D')}`,
        `${address(first.uid)}/`,
      ]) {
        assert.deepEqual(idsOf(requireStatus(200, await server.as('Administrator').get(path))), [first.uid])
      }
    })
    test('not at all when one does not exist', async () => {
      const ids = [documents[0].uid, unknownId]
      assertRefused(await server.as('Administrator').get(address(...ids)), 404, unknownId)
      assertRefused(await server.as('Administrator').get(address('a%00b')), 404, 'a\u0000b')
    })
    test('not at all when one may not be read', async () => {
      const answer = await server.as('bob').get(address(documents[0].uid, secret))
      assertRefused(answer, 403, privilegeMissing('Read', 'bob'))
    })
  })

  describe('are changed', () => {
    test('alike, and only in what is sent', async () => {
      const ids = await createThree()
      const sent = changesTo({ 'dc:description': 'the same' }, { type: 'File' })
      const list = requireStatus(200, await server.as('Administrator').put(address(...ids), sent, inFull))
      assert.deepEqual(idsOf(list), ids)
      for (const entry of list.entries) {
        assert.equal(entry.properties['dc:description'], 'the same')
        assert.deepEqual(entry, await bench.read(entry.uid, inFull))
      }
      assert.equal(new Set(await titlesOf(ids)).size, 3)
    })
    test('not at all when one may not be changed', async () => {
      const [writable = '', other = ''] = await createThree()
      await bench.setAcls(writable, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
      const answer = await server.as('bob').put(address(writable, other), changesTo({ 'dc:title': 'no' }))
      assertRefused(answer, 403, privilegeMissing('WriteProperties', 'bob'))
      assert.ok(!(await titlesOf([writable, other])).includes('no'))
    })
    test('not at all when one does not exist', async () => {
      const ids = await createThree()
      const answer = await server.as('Administrator').put(address(...ids, unknownId), changesTo({ 'dc:title': 'no' }))
      assertRefused(answer, 404, unknownId)
      assert.ok(!(await titlesOf(ids)).includes('no'))
    })
  })

  describe('are removed', () => {
    const statusOf = async (id: string) => (await server.as('Administrator').get(`/id/${id}`)).status
    test('for good, answered 200 without a body', async () => {
      const [first = '', second = '', kept = ''] = await createThree()
      const answer = await server.as('Administrator').delete(address(first, second))
      assert.equal(answer.status, 200)
      assert.equal(answer.text, '')
      assert.deepEqual([await statusOf(first), await statusOf(second), await statusOf(kept)], [404, 404, 200])
    })
    test('also when one is below another', async () => {
      const folder = await bench.create('Folder')
      const child = await bench.create('File', {}, { parent: folder.path })
      assert.equal((await server.as('Administrator').delete(address(folder.uid, child.uid))).status, 200)
      assert.deepEqual([await statusOf(folder.uid), await statusOf(child.uid)], [404, 404])
    })
    test('not at all when one may not be removed', async () => {
      const parent = await bench.create('Folder')
      await bench.setAcls(parent.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
      const removable = await bench.create('File', {}, { parent: parent.path })
      const [other = ''] = await createThree()
      const answer = await server.as('bob').delete(address(removable.uid, other))
      assertRefused(answer, 403, new RegExp(`${privilegeMissing('Remove', 'bob')}$`))
      assert.deepEqual([await statusOf(removable.uid), await statusOf(other)], [200, 200])
    })
  })

  describe('named by no id', () => {
    for (const path of ['/bulk/nonsense', `/bulk/${unknownId}`]) {
      test(`are a command that does not exist: ${path}`, async () => {
        const message = `Bulk command with id=${path.slice('/bulk/'.length)} doesn't exist`
        assertRefused(await server.as('Administrator').get(path), 404, message)
      })
    }
    test('are a command that cannot be aborted either', async () => {
      const answer = await server.as('Administrator').put('/bulk/nonsense/abort')
      assertRefused(answer, 404, "Bulk command with id=nonsense doesn't exist")
    })
    for (const path of ['/bulk', '/bulk;name=x', '/bulk;id']) {
      test(`are nothing: ${path}`, async () => {
        assert.equal((await server.as('Administrator').get(path)).status, 404)
      })
    }
  })
})
