import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { shareOf } from '../support/engine-share.ts'
import { operationBenchOn, type Role } from '../support/operation-bench.ts'
import { onEachServer } from '../support/servers.ts'

interface Scene {
  readonly target: string
  /** Another file of the same folder. */
  readonly sibling: string
  /** In the same folder, and so for those who may write there. */
  readonly collection: string
}

interface Called {
  readonly params?: object | ((scene: Scene) => object)
  /** What has to be done to the document before. */
  readonly after?: readonly (readonly [operation: string, params?: object])[]
  /** Works on its newest version instead of the document. */
  readonly isOnVersion?: true
  /** As whom it succeeds, beside administrators; the others are refused with 403. */
  readonly for: readonly Role[]
}

const everyReader: readonly Role[] = ['owner', 'writer', 'reader']
const everyWriter: readonly Role[] = ['owner', 'writer']
const versioned: Called['after'] = [['Document.CheckIn', { version: 'minor' }]]

/** Every operation on a file that people share, and who may. */
const operations: { readonly [operation: string]: Called } = {
  'Document.GetParent': { for: everyReader },
  'Document.GetChildren': { for: everyReader },
  'Document.Filter': { for: everyReader },
  'Document.Reload': { for: everyReader },
  'Document.GetVersions': { for: everyReader },
  'Document.GetLastVersion': { for: everyReader },
  'Proxy.GetSourceDocument': { for: everyReader },
  'Document.Update': { params: { properties: 'dc:title=x' }, for: everyWriter },
  'Document.SetProperty': { params: { xpath: 'dc:title', value: 'x' }, for: everyWriter },
  'Document.RemoveProperty': { params: { xpath: 'dc:title' }, for: everyWriter },
  'Document.Save': { for: everyWriter },
  'DocumentMultivaluedProperty.addItem': { params: { xpath: 'dc:contributors', value: 'x' }, for: everyWriter },
  'Document.RemoveEntryOfMultivaluedProperty': { params: { xpath: 'dc:contributors', value: 'x' }, for: everyWriter },
  'Document.AddItemToListProperty': { params: { xpath: 'files:files', complexJsonProperties: '[]' }, for: everyWriter },
  'Document.RemoveItemFromListProperty': { params: { xpath: 'files:files' }, for: everyWriter },
  'Document.CopySchema': { params: ({ sibling }) => ({ schema: 'dublincore', sourceId: sibling }), for: everyWriter },
  'Document.ResetSchema': { params: { schema: 'dublincore' }, for: everyWriter },
  'Document.AddFacet': { params: { facet: 'Thumbnail' }, for: everyWriter },
  'Document.RemoveFacet': { params: { facet: 'Thumbnail' }, for: everyWriter },
  'Document.Create': { params: { type: 'File' }, for: everyWriter },
  'Document.Copy': { params: ({ target }) => ({ target }), for: everyWriter },
  'Document.Move': { params: ({ target }) => ({ target }), for: everyWriter },
  'Document.Order': { params: ({ sibling }) => ({ before: sibling }), for: everyWriter },
  'Document.Delete': { for: everyWriter },
  'Document.FollowLifecycleTransition': { params: { value: 'approve' }, for: everyWriter },
  'Document.Lock': { for: everyWriter },
  'Document.Trash': { for: everyWriter },
  'Document.Untrash': { after: [['Document.Trash']], for: everyWriter },
  'Document.CheckIn': { params: { version: 'minor' }, for: everyWriter },
  'Document.CheckOut': { after: versioned, for: everyWriter },
  'Document.CreateVersion': { params: { increment: 'Minor' }, for: everyWriter },
  'Document.RestoreVersion': { after: versioned, isOnVersion: true, for: everyWriter },
  'Document.PublishToSection': { params: ({ target }) => ({ target }), for: everyWriter },
  'Document.PublishToSections': { params: ({ target }) => ({ target: [target] }), for: everyWriter },
  'Document.UnpublishAll': { for: everyReader },
  'Document.RemoveProxies': { for: everyReader },
  'Document.Hold': { for: ['owner'] },
  'Document.Unhold': { for: ['owner'] },
  'Document.Retain': { for: ['owner'] },
  'Services.TagDocument': { params: { tags: 'green' }, for: everyReader },
  'Services.UntagDocument': { params: { tags: 'green' }, after: [['Services.TagDocument', { tags: 'green' }]], for: everyWriter },
  'Services.RemoveDocumentTags': { after: [['Services.TagDocument', { tags: 'green' }]], for: everyWriter },
  'Document.AddToCollection': { params: ({ collection }) => ({ collection }), for: everyWriter },
  'Collection.RemoveFromCollection': { params: ({ collection }) => ({ collection }), for: everyWriter },
  'Document.AddToFavorites': { for: everyReader },
  'Document.RemoveFromFavorites': { for: everyReader },
  'Document.Subscribe': { for: everyReader },
  'Document.Unsubscribe': { for: everyReader },
  'Audit.LogEvent': { params: { event: 'looked' }, for: everyReader },
}

onEachServer('who may call operations on documents', (server, engine) => {
  const bench = operationBenchOn(server)
  let scene: Scene
  before(async () => {
    const [target, sibling, collection] = [await bench.make('Folder'), await bench.make(), await bench.make('Collection')]
    scene = { target: target.uid, sibling: sibling.uid, collection: collection.uid }
  })
  const prepare = async ({ after = [], isOnVersion }: Called): Promise<string> => {
    const { uid } = await bench.make()
    for (const [operation, params] of after) await bench.run(operation, uid, params)
    return isOnVersion ? (await bench.run('Document.GetLastVersion', uid)).uid : uid
  }

  for (const [turn, [operation, called]] of Object.entries(operations).entries()) {
    describe(operation, () => {
      for (const role of shareOf(engine, ['Administrator', 'owner', 'writer', 'reader', 'stranger'] as const, turn)) {
        const isAllowed = role === 'Administrator' || called.for.includes(role)
        test(`is ${isAllowed ? 'for' : 'refused to'} ${role}, also in a list`, async () => {
          const params = typeof called.params === 'function' ? called.params(scene) : called.params
          const [one, another] = [await prepare(called), await prepare(called)]
          for (const input of called.isOnVersion ? [one] : [one, [another]]) {
            const { status, text } = await bench.call(operation, input, params, { as: role })
            assert.ok(isAllowed ? status === 200 || status === 204 : status === 403, `${status} ${text}`)
          }
        })
      }
    })
  }
})
