import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { type Client, createClient } from './npm-client.ts'

const asTheOriginal = { settings: { vendor: 'nuxeo', basePath: '/nuxeo' } }

interface Gathered {
  readonly uid: string
  readonly title: string
  readonly type: string
  readonly entries: readonly Gathered[]
  readonly contextParameters: {
    readonly tags: readonly string[]
    readonly collections: readonly Gathered[]
    readonly favorites: { readonly isFavorite: boolean }
  }
}

onEachServer(
  'tags, collections and favorites with the published npm client',
  (server) => {
    let client: Client
    before(async () => {
      await server.addUser('ann', ['members'])
      client = createClient(server.url, 'Administrator')
    })
    const run = async <Result = Gathered>(id: string, input: unknown, params: object = {}, as = client): Promise<Result> => {
      const operation = as.operation(id).params(params)
      const call = input === undefined ? operation : operation.input(input as never)
      return (await call.execute()) as unknown as Result
    }
    const created = async (name: string) =>
      client.repository().create('/default-domain/workspaces', { type: 'File', name, properties: { 'dc:title': name } })
    const fetched = async (uid: string) =>
      (await client
        .repository()
        .enricher('document', 'tags')
        .enricher('document', 'collections')
        .enricher('document', 'favorites')
        .fetch(uid)) as unknown as Gathered
    /** What an operation gives as a file of JSON. */
    const suggested = async (id: string, params: object) => {
      const answer = await run<{ json(): Promise<unknown> } | readonly unknown[]>(id, undefined, params)
      return 'json' in answer ? answer.json() : answer
    }

    test('a document is tagged, found by its tag, and untagged', async () => {
      const document = await created('tagged')
      await run('Services.TagDocument', document, { tags: 'Red, Big Deal' })
      assert.deepEqual((await fetched(document.uid)).contextParameters.tags, ['bigdeal', 'red'])
      const query = { query: `SELECT * FROM Document WHERE ecm:tag/* = 'red' AND ecm:tag/* = 'bigdeal'` }
      const found = (await client.repository().query(query)) as unknown as Gathered
      assert.deepEqual(
        found.entries.map(({ uid }) => uid),
        [document.uid],
      )
      assert.deepEqual(await suggested('Tag.Suggestion', { searchTerm: 're' }), [{ id: 'red', displayLabel: 'red' }])
      await run('Services.UntagDocument', document, { tags: 'red' })
      assert.deepEqual((await fetched(document.uid)).contextParameters.tags, ['bigdeal'])
    })

    test('a collection is proposed, made, filled, ordered and emptied', async () => {
      const [one, other] = [await created('one'), await created('other')]
      assert.deepEqual(await suggested('Collection.Suggestion', { searchTerm: 'Plans' }), [
        { displayLabel: 'Plans', id: '-999999Plans' },
      ])
      const collection = await run('Collection.Create', undefined, { name: 'Plans' })
      assert.equal(collection.type, 'Collection')
      await run('Document.AddToCollection', one, { collection: collection.uid })
      await run('Collection.AddToCollection', [other.uid], { collection: collection.uid })
      const { collections } = (await fetched(one.uid)).contextParameters
      assert.deepEqual(
        collections.map(({ uid, title }) => [uid, title]),
        [[collection.uid, 'Plans']],
      )
      const moved = await run<{ value: boolean } | boolean>('Document.MoveCollectionMember', collection.uid, {
        member1: other.uid,
      })
      assert.equal(typeof moved === 'boolean' ? moved : moved.value, true)
      const page = await client
        .repository()
        .query({ pageProvider: 'ordered_content_collection', queryParams: collection.uid } as never)
      assert.deepEqual(
        (page as unknown as Gathered).entries.map(({ uid }) => uid),
        [other.uid, one.uid],
      )
      const content = await run('Collection.GetDocumentsFromCollection', collection.uid)
      assert.deepEqual(
        content.entries.map(({ title }) => title),
        ['one', 'other'],
      )
      const mine = await run('User.GetCollections', undefined, { searchTerm: 'Pla' })
      assert.deepEqual(
        mine.entries.map(({ uid }) => uid),
        [collection.uid],
      )
      await run('Collection.RemoveFromCollection', one, { collection: collection.uid })
      assert.deepEqual((await fetched(one.uid)).contextParameters.collections, [])
    })

    test('a document is a favorite of whoever says so', async () => {
      const document = await created('liked')
      await run('Document.AddToFavorites', document)
      assert.deepEqual((await fetched(document.uid)).contextParameters.favorites, { isFavorite: true })
      const favorites = await run('Favorite.Fetch', undefined)
      assert.deepEqual([favorites.type, favorites.title], ['Favorites', 'My Favorites'])
      const listed = await run('Favorite.GetDocuments', favorites)
      assert.deepEqual(
        listed.entries.map(({ uid }) => uid),
        [document.uid],
      )
      assert.deepEqual((await run('Favorite.GetDocuments', undefined, {}, createClient(server.url, 'ann'))).entries, [])
      await run('Document.RemoveFromFavorites', document)
      assert.deepEqual((await fetched(document.uid)).contextParameters.favorites, { isFavorite: false })
    })

    test('a refusal comes with its status', async () => {
      const [document, plain] = [await created('plain'), await created('no collection')]
      const refused = run('Document.AddToCollection', document, { collection: plain.uid })
      await assert.rejects(refused, ({ response }: { response: { status: number } }) => response.status === 400)
    })
  },
  asTheOriginal,
)
