import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { attach, download } from '../support/files.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { specimenOperations } from '../support/specimen-operations.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer(
  '1.10 @op',
  (server) => {
    const bench = workbenchOn(server)
    const admin = () => server.as('Administrator')

    describe('on a document', () => {
      test('takes it as input, by id and by path, whatever the body says', async () => {
        const { uid, path } = await bench.create('Note', {})
        for (const address of [`/id/${uid}`, `/path${path}`, `/repo/default/id/${uid}`]) {
          const { status, body } = await admin().post(`${address}/@op/Specimen.Echo`, { input: '/default-domain' })
          assert.deepEqual([status, body['entity-type'], body.uid], [200, 'document', uid], address)
        }
      })

      test('changes it', async () => {
        const { uid } = await bench.create('Note', {})
        const params = { properties: { 'dc:title': 'by an operation' } }
        const { status, body } = await admin().post(`/id/${uid}/@op/Document.Update`, { params }, { properties: '*' })
        assert.deepEqual([status, body.properties['dc:title']], [200, 'by an operation'])
        assert.equal((await bench.readProperties(uid))['dc:title'], 'by an operation')
      })

      test('runs chains, with and without Chain. before them, and keeps the parameters of their steps', async () => {
        for (const id of ['specimenRename', 'Chain.specimenRename']) {
          const { uid } = await bench.create('Note', {})
          const { status, body } = await admin().post(`/id/${uid}/@op/${id}`, {}, { properties: '*' })
          assert.deepEqual([status, body.properties['dc:title'], body.properties['dc:description']], [200, 'renamed', 'twice'])
        }
      })

      test('takes the input of the body where the operation can do nothing with a document', async () => {
        const { status, body } = await admin().post('/path/default-domain/@op/Specimen.FileName', {
          input: { data: 'x', name: 'sent.txt' },
        })
        assert.deepEqual([status, body.value], [200, 'sent.txt'])
      })

      test('that is not there is 404, and one that may not be read 403, whatever else is wrong', async () => {
        await server.addUser('stranger')
        const { uid } = await bench.create('Note', {})
        await bench.restrict(uid)
        for (const [id, body] of [
          ['Specimen.Echo', {}],
          ['Specimen.Echo', ''],
          ['Noop', {}],
          ['', {}],
        ] as const) {
          assertRefused(await admin().post(`/path/no/such/@op/${id}`, body), 404, /\/no\/such/)
          assertRefused(await server.as('stranger').post(`/id/${uid}/@op/${id}`, body), 403, /Privilege 'Read'/)
        }
      })
    })

    describe('on a list', () => {
      async function aFolder(size: number) {
        const folder = await bench.create('Folder', {})
        for (let index = 0; index < size; index++)
          await bench.create('Note', { 'dc:title': `n${index}` }, { parent: folder.path })
        return folder
      }

      test('takes the documents of the page, which is that of the answer', async () => {
        const { uid } = await aFolder(5)
        const { status, body } = await admin().post(`/id/${uid}/@children/@op/Specimen.Echo?pageSize=2&currentPageIndex=1`, {})
        assert.equal(status, 200)
        assert.deepEqual(
          [body['entity-type'], body.entries.length, body.currentPageIndex, body.currentPageSize],
          ['documents', 2, 1, 2],
        )
      })

      test('changes only those of the page', async () => {
        const { uid } = await aFolder(3)
        const params = { properties: 'dc:description=changed' }
        const { body } = await admin().post(`/id/${uid}/@children/@op/Document.Update?pageSize=2`, { params })
        assert.equal(body.entries.length, 2)
        const children = await admin().get(`/id/${uid}/@children`, { properties: 'dublincore' })
        const texts = children.body.entries.map((one: { properties: object }) => (one.properties as never)['dc:description'])
        assert.deepEqual(texts.filter((text: string) => text === 'changed').length, 2)
      })

      test('works behind @search and @pp', async () => {
        const { uid } = await aFolder(2)
        const query = encodeURIComponent(`SELECT * FROM Note WHERE ecm:parentId = '${uid}'`)
        const searched = await admin().post(`/path/@search/@op/Specimen.Echo?query=${query}`, {})
        assert.deepEqual([searched.status, searched.body.entries.length], [200, 2])
        const provided = await admin().post(`/id/${uid}/@pp/advanced_document_content/@op/Specimen.Echo?ecm_parentId=${uid}`, {})
        assert.deepEqual([provided.status, provided.body['entity-type']], [200, 'documents'])
      })

      test('that could not be found is a refusal with what its page would say', async () => {
        const { uid } = await aFolder(1)
        const misspelt = `query=${encodeURIComponent("SELECT * FROM Note WHERE dc:titel = 'n0'")}`
        for (const list of [`@search/@op/Specimen.Echo?${misspelt}`, '@pp/default_search/@op/Specimen.Echo?dc_created_min=x']) {
          const listed = await admin().get(`/id/${uid}/${list.replace('/@op/Specimen.Echo', '')}`)
          const { status, body } = await admin().post(`/id/${uid}/${list}`, {})
          assert.equal(status, 400, list)
          assert.ok(body.message.includes(listed.body.errorMessage ?? listed.body.message), body.message)
        }
      })
    })

    test('on a file takes it, and gives files as downloads', async () => {
      const { uid } = await bench.create('File', {})
      await attach(server, uid, 'content', { name: 'c.txt', 'mime-type': 'text/plain' })
      const answer = await download(server, `api/v1/id/${uid}/@blob/file:content/@op/Specimen.Echo`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      assert.deepEqual([answer.status, answer.text], [200, 'content'])
      const named = await admin().post(`/id/${uid}/@blob/file:content/@op/Specimen.FileName`, {})
      assert.equal(named.body.value, 'c.txt')
      const note = await bench.create('Note', { 'note:note': 'text of the note' })
      const text = await admin().post(`/id/${note.uid}/@blob/blobholder:0/@op/Specimen.Echo`, {})
      assert.equal(text.text, 'text of the note')
    })

    test('on the API itself takes the input of the body', async () => {
      const { status, body } = await admin().post('/@op/Specimen.Echo', { input: 'plain' })
      assert.deepEqual([status, body], [200, { 'entity-type': 'string', value: 'plain' }])
      const fetched = await admin().post('/@op/Document.Fetch', { params: { value: '/default-domain' } })
      assert.equal(fetched.body.path, '/default-domain')
    })

    describe('answers as the command endpoint does', () => {
      const cases: [what: string, id: string, body: object, headers: { [name: string]: string }, status: number][] = [
        ['a custom status', 'Specimen.Status', { params: { status: 206 } }, {}, 206],
        ['a failure with its status', 'Specimen.Fail', {}, {}, 405],
        ['nothing', 'Specimen.Swallow', {}, {}, 204],
        ['nothing to who wants nothing', 'Specimen.Echo', {}, { 'X-NXVoidOperation': 'true' }, 204],
        ['an unknown operation', 'Noop', {}, {}, 404],
        ['a missing parameter', 'Specimen.Status', {}, {}, 400],
      ]
      for (const [what, id, body, headers, status] of cases) {
        test(what, async () => {
          assert.equal((await admin().post(`/path/default-domain/@op/${id}`, body, headers)).status, status)
        })
      }

      test('an empty body is refused', async () => {
        assert.equal((await admin().post('/path/default-domain/@op/Specimen.Echo', '')).status, 400)
      })

      test('GET is no way to call it', async () => {
        const { status, headers } = await admin().get('/path/default-domain/@op/Specimen.Echo')
        assert.deepEqual([status, headers.get('allow')], [405, 'POST, OPTIONS'])
      })
    })
  },
  { plugins: [specimenOperations] },
)
