import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { type Client, createClient } from './npm-client.ts'

const asTheOriginal = { settings: { vendor: 'nuxeo', basePath: '/nuxeo' } }

interface Said {
  readonly 'entity-type': string
  readonly id: string
  readonly author: string
  readonly text: string
  readonly entity: string | null
  readonly numberOfReplies?: number
  readonly lastReplyDate?: string
  readonly creationDate: string
}

interface SaidPage {
  readonly 'entity-type': string
  readonly totalSize: number
  readonly entries: readonly Said[]
}

onEachServer(
  'comments and annotations as clients of the original ask for them',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('ann', ['members']))

    describe('the published npm client', () => {
      let client: Client
      before(() => {
        client = createClient(server.url, 'ann')
      })

      test('writes, lists, changes and removes comments with its requests', async () => {
        const { uid, path } = await bench.create('File')
        const comments = (below = '') => client.request(`id/${uid}/@comment${below}`)
        const body = { 'entity-type': 'comment', text: 'first', parentId: uid }
        const first = (await comments().post({ body })) as Said
        assert.deepEqual([first['entity-type'], first.author, first.text], ['comment', 'ann', 'first'])
        const reply = (await client.request(`id/${first.id}/@comment`).post({ body: { ...body, text: 'reply' } })) as Said
        const page = (await client
          .request(`path${path}/@comment`)
          .fetchProperty('comment', 'repliesSummary')
          .queryParams({ pageSize: 10, currentPageIndex: 0 })
          .get()) as SaidPage
        assert.deepEqual([page['entity-type'], page.totalSize, page.entries.length], ['comments', 1, 1])
        assert.deepEqual([page.entries[0]?.numberOfReplies, page.entries[0]?.lastReplyDate], [1, reply.creationDate])
        const changed = (await comments(`/${first.id}`).put({ body: { 'entity-type': 'comment', text: 'better' } })) as Said
        assert.equal(changed.text, 'better')
        await comments(`/${first.id}`).delete()
        assert.equal(((await comments().get()) as SaidPage).totalSize, 0)
        await assert.rejects(comments(`/${first.id}`).get(), { message: 'Not Found' })
      })

      test('keeps annotations of a viewer by the ids of that', async () => {
        const { uid } = await bench.create('File')
        const annotations = (below = '') => client.request(`id/${uid}/@annotation${below}`)
        const sent = { 'entity-type': 'annotation', id: 'viewer-1', documentId: uid, xpath: 'file:content', entity: '<a/>' }
        const made = (await annotations().post({ body: sent })) as Said
        assert.equal(made.entity, '<a/>')
        const listed = (await annotations().queryParams({ xpath: 'file:content' }).get()) as SaidPage
        assert.deepEqual([listed['entity-type'], listed.entries.map(({ id }) => id)], ['annotations', [made.id]])
        const body = { 'entity-type': 'annotation', entity: '<b/>' }
        assert.equal(((await annotations('/external/viewer-1').put({ body })) as Said).entity, '<b/>')
        assert.equal(((await annotations('/external/viewer-1').get()) as Said).id, made.id)
        await annotations('/external/viewer-1').delete()
        assert.equal(((await annotations().get()) as SaidPage).entries.length, 0)
      })

      test('finds comments by queries and providers, as documents', async () => {
        const { uid } = await bench.create('File')
        const body = { 'entity-type': 'comment', text: 'found' }
        const { id } = (await client.request(`id/${uid}/@comment`).post({ body })) as Said
        const repository = client.repository().schemas(['comment'])
        const { entries } = await repository.query({ query: `SELECT * FROM Comment WHERE comment:parentId = '${uid}'` })
        assert.deepEqual(
          entries.map((one) => [one.uid, one.get('comment:text')]),
          [[id, 'found']],
        )
        const provided = await repository.query({ pageProvider: 'GET_COMMENTS_FOR_DOCUMENT', queryParams: [uid] })
        assert.deepEqual(
          provided.entries.map((one) => one.uid),
          [id],
        )
      })
    })

    test('the Python client posts with the parent, lists with a hyphen and deletes the comment as a document', async () => {
      const { uid } = await bench.create('File')
      const ann = server.as('ann')
      const post = async (about: string, text: string): Promise<Answered> =>
        requireStatus(201, await ann.post(`/id/${about}/@comment`, { 'entity-type': 'comment', parentId: about, text }))
      const comment = await post(uid, 'This is my comment')
      const reply = await post(comment.id, 'and a reply')
      const page = requireStatus(
        200,
        await ann.get(`/id/${uid}/@comment?pageSize=0&currentPageIndex=0&fetch-comment=repliesSummary`),
      )
      assert.deepEqual([page.entries.length, page.entries[0].numberOfReplies], [1, 1])
      const changed = { ...page.entries[0], text: 'edited' }
      assert.equal(requireStatus(200, await ann.put(`/id/${uid}/@comment/${comment.id}`, changed)).text, 'edited')
      for (const id of [reply.id, comment.id]) assert.equal((await ann.delete(`/id/${id}`)).status, 204)
      assert.equal((await ann.get(`/id/${uid}/@comment`)).body.totalSize, 0)
    })

    test('the browser UI pages through with a header, and knows by author and permissions what to offer', async () => {
      const { uid } = await bench.create('File')
      const ann = server.as('ann')
      for (const text of ['a', 'b', 'c']) {
        requireStatus(201, await ann.post(`/id/${uid}/@comment/`, { 'entity-type': 'comment', parentId: uid, text }))
      }
      const headers = { 'fetch-comment': 'repliesSummary', properties: '*', depth: 'max' }
      const page = requireStatus(200, await ann.get(`/id/${uid}/@comment/?pageSize=2&currentPageIndex=0`, headers))
      assert.deepEqual([page.totalSize, page.entries.length], [3, 2])
      for (const { author, numberOfReplies, permissions } of page.entries) {
        assert.deepEqual([author, numberOfReplies, permissions.includes('Read')], ['ann', 0, true])
      }
    })
  },
  asTheOriginal,
)
