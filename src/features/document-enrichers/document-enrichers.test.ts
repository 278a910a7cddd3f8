import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { builtinContributions, builtinModel } from '../../../test/support/model/builtin-model.ts'
import { administrator, alice, aRenderContext, aRepository, type RenderOptions } from '../../../test/support/rendering.ts'
import { aStoredChild, aStoredProxy, aStoredVersion, insertAll, insertRoot } from '../../../test/support/stored-document.ts'
import { openSession } from '../../core/access.ts'
import type { References } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { deny, grant } from '../../model/rights/acl.ts'
import type { Principal } from '../../model/rights/principal.ts'
import { createRendering } from '../../rest/registry.ts'
import { documentWriter, writeDocument } from '../../rest/render/document-entity.ts'
import type { EntityWriter } from '../../rest/render/rendering.ts'
import type { Store } from '../../store/store.ts'
import { aclsEnricher } from './acls.ts'

type Entity = { [field: string]: unknown }

const enrichers = builtinContributions.enrichers.filter(({ entityType }) => entityType === 'document')
const principalWriters = ['user', 'group'].map(
  (entityType): EntityWriter => ({ entityType, write: async (_context, id) => ({ 'entity-type': entityType, id }) }),
)
const rendering = createRendering({ enrichers, entityWriters: [documentWriter, ...principalWriters] })
const references: References = {
  find: async (_session, _resolver, value) => (value === 'alice' || value === 'bob' ? { kind: 'user', id: value } : undefined),
}

interface Asking extends RenderOptions {
  readonly by?: Principal
}

/** What one enricher says about the document. */
async function ask(
  store: Store,
  name: string,
  document: Document,
  { by = administrator, ...options }: Asking = {},
): Promise<Entity> {
  const headers = { 'enrichers-document': name, ...options.headers }
  const session = openSession(aRepository(store, { references }), by)
  const entity = await writeDocument(aRenderContext(session, { rendering, ...options, headers }), document)
  return entity['contextParameters'] as Entity
}

const membersRead = [grant('members', 'Read')]
const namesOf = (list: unknown) => (list as { entries: Entity[] }).entries.map(({ path }) => path)

/** Gives a document rights of its own, as the store keeps them. */
async function withAcl(store: Store, document: Document, ...aces: Document['acls'][number]['aces']): Promise<Document> {
  return store.transact(async (tx) => {
    await tx.acps.replaceAcls(document, [{ name: 'local', aces }])
    return (await tx.documents.find(document.id)) ?? document
  })
}

onEachEngine('the enricher', (engine) => {
  async function aTree() {
    const store = await engine.openStore()
    const root = await insertRoot(store, membersRead)
    const work = aStoredChild(root, 'work')
    const plans = aStoredChild(work, 'plans')
    const plan = aStoredChild(plans, 'plan', { type: 'File' })
    await insertAll(store, work, plans, plan)
    return { store, root, work, plans, plan }
  }

  describe('acls', () => {
    test('shows own rights before inherited ones, each with its id and status', async () => {
      const { store, plan } = await aTree()
      const granted = grant('bob', 'Write', { creator: 'alice', end: '2031-01-01T00:00:00.000Z' })
      const { acls } = await ask(store, 'acls', await withAcl(store, plan, granted))
      assert.deepEqual(acls, [
        {
          name: 'local',
          aces: [
            {
              id: 'bob:Write:true:alice::1924992000000',
              username: 'bob',
              externalUser: false,
              permission: 'Write',
              granted: true,
              creator: 'alice',
              begin: null,
              end: '2031-01-01T00:00:00.000Z',
              status: 'archived',
            },
          ],
        },
        {
          name: 'inherited',
          aces: [
            {
              id: 'members:Read:true:::',
              username: 'members',
              externalUser: false,
              permission: 'Read',
              granted: true,
              creator: null,
              begin: null,
              end: null,
              status: 'effective',
            },
          ],
        },
      ])
    })

    test('shows only what is inherited for a document without rights of its own, and nothing inherited past a block', async () => {
      const { store, work, plan } = await aTree()
      const shown = async (document: Document) =>
        ((await ask(store, 'acls', document))['acls'] as { name: string; aces: { id: string }[] }[]).map(({ name, aces }) => [
          name,
          ...aces.map(({ id }) => id),
        ])
      assert.deepEqual(await shown(plan), [['inherited', 'members:Read:true:::']])
      const blocked = await withAcl(store, work, grant('bob', 'Read'), deny('Everyone', 'Everything'))
      assert.deepEqual(await shown(blocked), [['local', 'bob:Read:true:::', 'Everyone:Everything:false:::']])
    })

    test('shows people and groups as entities when asked, and a transient user as an external one', async () => {
      const { store, plan } = await aTree()
      const invited = grant('transient/ann@x.org', 'Read', { creator: 'bob' })
      const document = await withAcl(store, plan, grant('alice', 'Read', { creator: 'nobody' }), invited)
      const answer = await ask(store, 'acls', document, { headers: { 'fetch-acls': 'username, creator' } })
      const [local] = answer['acls'] as { aces: Entity[] }[]
      assert.deepEqual(
        local?.aces.map(({ username, creator, externalUser }) => [username, creator, externalUser]),
        [
          [{ 'entity-type': 'user', id: 'alice' }, 'nobody', false],
          ['transient/ann@x.org', { 'entity-type': 'user', id: 'bob' }, true],
        ],
      )
    })

    test('adds what was recorded with a right, when asked and when something was', async () => {
      const { store, plan } = await aTree()
      const document = await withAcl(store, plan, grant('alice', 'Read'), grant('bob', 'Read'))
      const id = `${plan.id}:default:local:alice:Read:true:::`
      await store.transact((tx) => tx.directories.insert('aceinfo', { id, values: { notify: true, comment: 'welcome' } }))
      const shown = async (fetch: string) => {
        const answer = await ask(store, 'acls', document, { headers: { 'fetch-acls': fetch } })
        const [local] = answer['acls'] as { aces: Entity[] }[]
        return local?.aces.map((ace) => ('notify' in ace ? [ace['notify'], ace['comment']] : 'nothing'))
      }
      assert.deepEqual(await shown('extended'), [[true, 'welcome'], 'nothing'])
      assert.deepEqual(await shown('username'), ['nothing', 'nothing'])
    })

    test('repeats the entries under their old key where the server is set to', async () => {
      const { store, plan } = await aTree()
      const repeating = createRendering({ enrichers: [aclsEnricher({ repeatsEntries: true })], entityWriters: [documentWriter] })
      const [inherited] = (await ask(store, 'acls', plan, { rendering: repeating }))['acls'] as Entity[]
      assert.deepEqual(inherited?.['ace'], inherited?.['aces'])
    })
  })

  describe('permissions', () => {
    test('lists all that the caller has and nothing else', async () => {
      const { store, plan } = await aTree()
      const { permissions } = await ask(store, 'permissions', plan, { by: alice })
      const readers = ['Browse', 'Read', 'ReadChildren', 'ReadLifeCycle', 'ReadProperties', 'ReadSecurity', 'ReadVersion']
      assert.deepEqual((permissions as string[]).sort(), [...readers, 'ReviewParticipant'].sort())
    })

    test('lists every permission there is for an administrator', async () => {
      const { store, plan } = await aTree()
      const { permissions } = await ask(store, 'permissions', plan)
      assert.deepEqual(permissions, builtinModel.permissions.names)
    })
  })

  describe('breadcrumb', () => {
    test('leads from the top down to the document itself, the root left out', async () => {
      const { store, root, plan } = await aTree()
      assert.deepEqual(namesOf((await ask(store, 'breadcrumb', plan))['breadcrumb']), [
        '/work',
        '/work/plans',
        '/work/plans/plan',
      ])
      assert.deepEqual(namesOf((await ask(store, 'breadcrumb', root))['breadcrumb']), [])
    })

    test('begins below the first ancestor that the caller cannot read', async () => {
      const { store, work, plans, plan } = await aTree()
      await withAcl(store, work, deny('Everyone', 'Everything'))
      await withAcl(store, plans, grant('members', 'Read'))
      const [fresh] = await store.reader.documents.findAll([plan.id])
      const { breadcrumb } = await ask(store, 'breadcrumb', fresh ?? plan, { by: alice })
      assert.deepEqual(namesOf(breadcrumb), ['/work/plans', '/work/plans/plan'])
    })

    test('of a version goes the way of its live document', async () => {
      const { store, plan } = await aTree()
      const version = aStoredVersion(plan)
      const { breadcrumb } = await ask(store, 'breadcrumb', version)
      assert.deepEqual(namesOf(breadcrumb), ['/work', '/work/plans', '/work/plans/plan'])
    })
  })

  describe('firstAccessibleAncestor', () => {
    const shown = async (...[store, document, by]: [Store, Document, Principal?]) => {
      const answer = await ask(store, 'firstAccessibleAncestor', document, by && { by })
      return (answer['firstAccessibleAncestor'] as Entity | undefined)?.['path']
    }

    test('is the nearest one that the caller can read, the root if need be', async () => {
      const { store, work, plan } = await aTree()
      assert.equal(await shown(store, plan), '/work/plans')
      await withAcl(store, work, deny('Everyone', 'Everything'))
      assert.equal(await shown(store, plan, alice), '/')
    })

    test('is absent for the root', async () => {
      const { store, root } = await aTree()
      assert.equal(await shown(store, root), undefined)
    })
  })

  describe('children', () => {
    test('shows what the caller can read, hidden and trashed ones too, by name', async () => {
      const { store, plans } = await aTree()
      const secret = aStoredChild(plans, 'secret')
      await insertAll(
        store,
        secret,
        aStoredChild(plans, 'a', { isTrashed: true }),
        aStoredChild(plans, 'b', { type: 'HiddenFolder' }),
      )
      await withAcl(store, secret, deny('Everyone', 'Everything'))
      const { children } = await ask(store, 'children', plans, { by: alice })
      assert.deepEqual(namesOf(children), ['/work/plans/a', '/work/plans/b', '/work/plans/plan'])
    })

    test('keeps the order of an ordered folder', async () => {
      const { store, work } = await aTree()
      const ordered = aStoredChild(work, 'ordered', { type: 'OrderedFolder' })
      await insertAll(store, ordered, aStoredChild(ordered, 'a', { position: 1 }), aStoredChild(ordered, 'b', { position: 0 }))
      const { children } = await ask(store, 'children', ordered)
      assert.deepEqual(namesOf(children), ['/work/ordered/b', '/work/ordered/a'])
    })

    test('shows a proxy as what it points to', async () => {
      const { store, work, plan } = await aTree()
      const section = aStoredChild(work, 'section')
      const proxy = { ...aStoredProxy(section, 'plan', plan), type: 'File' }
      await insertAll(store, section, proxy)
      const { children } = await ask(store, 'children', section)
      const [entry] = (children as { entries: Entity[] }).entries
      assert.deepEqual([entry?.['type'], entry?.['isProxy'], entry?.['path']], ['File', true, '/work/section/plan'])
    })

    test('shows properties only as deep as asked', async () => {
      const { store, plans } = await aTree()
      const first = async (depth: string) => {
        const { children } = await ask(store, 'children', plans, { headers: { properties: 'dublincore', depth } })
        return (children as { entries: Entity[] }).entries[0] ?? {}
      }
      assert.ok(!('properties' in (await first('root'))))
      assert.ok('properties' in (await first('children')))
    })
  })

  describe('hasFolderishChild and hasContent', () => {
    const answers = async (store: Store, document: Document, by?: Principal) => {
      const answer = await ask(store, 'hasFolderishChild,hasContent', document, by && { by })
      return [answer['hasFolderishChild'], answer['hasContent']]
    }

    test('tell folders from other children', async () => {
      const { store, root, work, plans, plan } = await aTree()
      assert.deepEqual(await answers(store, root), [true, true])
      assert.deepEqual(await answers(store, work), [true, true])
      assert.deepEqual(await answers(store, plans), [false, true])
      assert.deepEqual(await answers(store, plan), [false, false])
    })

    test('do not count what is hidden, trashed or not for the caller', async () => {
      const { store, work } = await aTree()
      const folder = aStoredChild(work, 'folder')
      const secret = aStoredChild(folder, 'secret')
      const given = [aStoredChild(folder, 'a', { isTrashed: true }), aStoredChild(folder, 'b', { type: 'HiddenFolder' })]
      await insertAll(store, folder, secret, ...given)
      await withAcl(store, secret, deny('Everyone', 'Everything'))
      assert.deepEqual(await answers(store, folder, alice), [false, false])
      assert.deepEqual(await answers(store, folder), [true, true])
    })

    test('look at the members of a collection', async () => {
      const { store, work, plan } = await aTree()
      const hidden = aStoredChild(work, 'hidden', { type: 'HiddenFolder' })
      const trashed = aStoredChild(work, 'trashed', { isTrashed: true })
      const collection = (name: string, ids: readonly string[]) =>
        aStoredChild(work, name, { type: 'Collection', properties: { 'collection:documentIds': ids } })
      await insertAll(store, hidden, trashed)
      assert.deepEqual(await answers(store, collection('full', [hidden.id, plan.id])), [false, true])
      assert.deepEqual(await answers(store, collection('empty', [hidden.id, trashed.id, 'gone'])), [false, false])
      await withAcl(store, plan, deny('Everyone', 'Everything'))
      assert.deepEqual(await answers(store, collection('full', [plan.id]), alice), [false, false])
    })
  })

  describe('collections and favorites', () => {
    async function aFavorite() {
      const { store, root, plan } = await aTree()
      const domain = aStoredChild(root, 'default-domain')
      const workspaces = aStoredChild(domain, 'UserWorkspaces')
      const acls = [{ name: 'local', aces: [grant('ann@x.org', 'Everything')] }]
      const workspace = aStoredChild(workspaces, 'ann~40x.org', { acls })
      const favorites = aStoredChild(workspace, 'Favorites', { type: 'Favorites', acls })
      await insertAll(store, domain, workspaces, workspace, favorites)
      const member = { ...plan, facets: ['CollectionMember'], properties: { 'collectionMember:collectionIds': [favorites.id] } }
      return { store, plan, favorites, member }
    }
    const ann = { ...alice, name: 'ann@x.org' }

    test('know the favorites of the caller, whose workspace has a name of its own spelling', async () => {
      const { store, plan, member } = await aFavorite()
      assert.deepEqual((await ask(store, 'favorites', member, { by: ann }))['favorites'], { isFavorite: true })
      assert.deepEqual((await ask(store, 'favorites', member, { by: alice }))['favorites'], { isFavorite: false })
      assert.deepEqual((await ask(store, 'favorites', plan, { by: ann }))['favorites'], { isFavorite: false })
    })

    test('show a plain array of those that can be read and are neither trashed nor versions', async () => {
      const { store, plan, favorites } = await aFavorite()
      const [root] = await store.reader.documents.findAllByPath(['/'])
      const one = (name: string, given: Partial<Document> = {}) =>
        aStoredChild(root ?? plan, name, { type: 'Collection', ...given })
      const [good, trashed, secret] = [one('good'), one('trashed', { isTrashed: true }), one('secret')] as const
      const version = aStoredVersion(good)
      await insertAll(store, good, trashed, secret, version)
      await withAcl(store, secret, deny('Everyone', 'Everything'))
      const ids = [good, trashed, secret, version, favorites].map(({ id }) => id)
      const member = { ...plan, properties: { 'collectionMember:collectionIds': ['gone', ...ids] } }
      const { collections } = await ask(store, 'collections', member, { by: alice })
      assert.deepEqual(
        (collections as Entity[]).map(({ path }) => path),
        ['/good', favorites.path],
      )
    })

    test('show no more than a hundred', async () => {
      const { store, plan, favorites } = await aFavorite()
      const many = Array.from({ length: 101 }, (_, index) => aStoredChild(favorites, `c${index}`, { type: 'Collection' }))
      await insertAll(store, ...many)
      const member = { ...plan, properties: { 'collectionMember:collectionIds': many.map(({ id }) => id) } }
      assert.equal(((await ask(store, 'collections', member))['collections'] as Entity[]).length, 100)
    })
  })

  test('publications counts the proxies of the document, also when asked of a version or a proxy', async () => {
    const { store, work, plan } = await aTree()
    const version = aStoredVersion(plan)
    const proxies = [aStoredProxy(work, 'one', version), aStoredProxy(work, 'two', plan)]
    await insertAll(store, version, ...proxies)
    for (const document of [plan, version, { ...(proxies[0] ?? plan), type: 'File' }]) {
      assert.deepEqual((await ask(store, 'publications', document))['publications'], { resultsCount: 2 })
    }
  })
})
