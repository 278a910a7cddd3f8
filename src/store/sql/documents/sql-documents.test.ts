import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../../../test/support/engines.ts'
import {
  aStoredChild,
  aStoredDocument,
  aStoredProxy,
  aStoredVersion,
  insertAll,
  insertRoot,
} from '../../../../test/support/stored-document.ts'
import { newId } from '../../../base/ids.ts'
import type { Document } from '../../../model/document.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { unstorableText } from '../../storable-text.ts'

const now = '2024-06-01T00:00:00.000Z'
const later = '2030-01-01T00:00:00.000Z'

onEachEngine('looking documents up', (engine) => {
  test('gives back every part of a document as it was stored', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const stored = aStoredChild(root, 'full', {
      position: 3,
      facets: ['Thumbnail', 'HiddenInNavigation'],
      isTrashed: true,
      isCheckedIn: true,
      majorVersion: 2,
      minorVersion: 7,
      baseVersionId: 'base',
      isLatestVersion: true,
      isLatestMajorVersion: true,
      versionCreated: now,
      versionComment: 'first "draft"',
      isRecord: true,
      retainUntil: later,
      hasLegalHold: true,
      targetId: 'target',
      seriesId: 'series',
      lock: { owner: 'alice', created: now },
      changeToken: { system: 12, user: 5 },
      acls: [
        { name: 'local', aces: [{ username: 'bob', permission: 'Read', granted: true, creator: null, begin: now, end: null }] },
      ],
      properties: { 'dc:title': 'Übung 💡', 'dc:subjects': ['a', 'b'], 'x:complex': { list: [1, null], flag: true } },
    })
    await insertAll(store, stored)
    assert.deepEqual(await store.reader.documents.find(stored.id), stored)
    assert.deepEqual(await store.reader.documents.findByPath('/full'), stored)
    assert.deepEqual(await store.reader.documents.findChild(root.id, 'full'), stored)
  })

  test('keeps any property value that the model knows', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    await fc.assert(
      fc.asyncProperty(fc.array(propertyValue, { minLength: 20, maxLength: 20 }), async (values) => {
        const stored = values.map((value) => aStoredChild(root, newId(), { properties: { 'x:value': value } }))
        await insertAll(store, ...stored)
        const found = await store.reader.documents.findAll(stored.map(({ id }) => id))
        assert.deepEqual(
          found.map(({ properties }) => properties['x:value']),
          values,
        )
      }),
      { numRuns: 8 },
    )
  })

  test('leaves out unset scalars and empty lists, and nothing else', async () => {
    const store = await engine.openStore()
    const properties = { 'a:null': null, 'a:list': [], 'a:empty': '', 'a:zero': 0, 'a:no': false, 'a:complex': {} }
    const document = aStoredDocument({ properties })
    await insertAll(store, document)
    const found = await store.reader.documents.find(document.id)
    assert.deepEqual(found?.properties, { 'a:empty': '', 'a:zero': 0, 'a:no': false, 'a:complex': {} })
  })

  test('refuses a text that one of the engines could not keep', async () => {
    const store = await engine.openStore()
    for (const text of ['a\0b', 'a\ud800', '\udc00', '\\\0']) {
      const inProperties = aStoredDocument({ properties: { 'dc:title': text } })
      await assert.rejects(insertAll(store, inProperties), unstorableText.is)
      await assert.rejects(insertAll(store, aStoredDocument({ name: text })), unstorableText.is)
    }
    await insertAll(store, aStoredDocument({ properties: { 'dc:title': '\\u0000 \\ud800 💡' } }))
  })

  test('finds nothing where nothing is', async () => {
    const { documents } = (await engine.openStore()).reader
    assert.equal(await documents.find('nowhere'), undefined)
    assert.equal(await documents.findByPath('/nowhere'), undefined)
    assert.equal(await documents.findChild('nowhere', 'name'), undefined)
    assert.equal(await documents.hasChild('nowhere', 'name'), false)
    assert.equal(await documents.lastPosition('nowhere'), undefined)
    assert.deepEqual(await documents.findAll([]), [])
  })

  test('gives many in the order asked, by path top down, and leaves out what does not exist', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const a = aStoredChild(root, 'a')
    const b = aStoredChild(a, 'b')
    await insertAll(store, a, b)
    const byId = await store.reader.documents.findAll([b.id, 'nowhere', root.id, a.id])
    assert.deepEqual(
      byId.map(({ id }) => id),
      [b.id, root.id, a.id],
    )
    const byPath = await store.reader.documents.findAllByPath(['/a/b', '/nowhere', '/', '/a'])
    assert.deepEqual(
      byPath.map(({ path }) => path),
      ['/', '/a', '/a/b'],
    )
  })

  test('tells names apart by case, accents and wildcards', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const names = ['é', 'e', 'E', '%', '_', 'a%', '💡']
    await insertAll(store, ...names.map((name) => aStoredChild(root, name)))
    for (const name of names) assert.equal((await store.reader.documents.findByPath(`/${name}`))?.name, name)
    assert.equal(await store.reader.documents.hasChild(root.id, 'É'), false)
    assert.equal(await store.reader.documents.hasChild(root.id, 'é'), true)
  })
})

onEachEngine('inserting documents', (engine) => {
  test('gives nothing and writes nothing when the name is taken', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const first = aStoredChild(root, 'name')
    const second = aStoredChild(root, 'name')
    assert.equal(await store.transact((tx) => tx.documents.insert(first)), true)
    assert.equal(await store.transact((tx) => tx.documents.insert(second)), false)
    assert.equal((await store.reader.documents.findByPath('/name'))?.id, first.id)
    assert.equal(await store.reader.documents.find(second.id), undefined)
  })

  test('lets documents without a parent have the same name', async () => {
    const store = await engine.openStore()
    const live = await insertRoot(store)
    const versions = [aStoredVersion(live), aStoredVersion(live)]
    for (const version of versions) assert.equal(await store.transact((tx) => tx.documents.insert(version)), true)
  })

  test('loads many rows whatever their number', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    await insertAll(store, ...Array.from({ length: 250 }, (_, index) => aStoredChild(root, `n${index}`)))
    assert.equal(await store.reader.documents.countChildren({ parentId: root.id }, 1_000), 250)
    await insertAll(store)
  })
})

onEachEngine('updating documents', (engine) => {
  test('writes all but place and rights when the change token still holds', async () => {
    const store = await engine.openStore()
    const before = await insertRoot(store)
    const after: Document = {
      ...before,
      name: 'not written',
      path: '/not-written',
      position: 7,
      acpId: 99,
      acls: [{ name: 'local', aces: [] }],
      state: 'approved',
      facets: ['Folderish'],
      lock: { owner: 'alice', created: now },
      changeToken: { system: 1, user: 1 },
      properties: { 'dc:title': 'new' },
    }
    assert.deepEqual(await store.transact((tx) => tx.documents.update(before, after)), [])
    const { name, path, position, acpId, acls } = before
    assert.deepEqual(await store.reader.documents.find(before.id), { ...after, name, path, position, acpId, acls })
  })

  test('gives nothing and writes nothing when another transaction changed the document meanwhile', async () => {
    const store = await engine.openStore()
    const before = await insertRoot(store)
    const changed = (title: string): Document => ({
      ...before,
      changeToken: { system: 1, user: 0 },
      properties: { 'dc:title': title },
    })
    assert.deepEqual(await store.transact((tx) => tx.documents.update(before, changed('first'))), [])
    assert.equal(await store.transact((tx) => tx.documents.update(before, changed('second'))), undefined)
    assert.equal((await store.reader.documents.find(before.id))?.properties['dc:title'], 'first')
  })

  test('gives the proxies that repeat the document, in the order of their paths', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const target = aStoredChild(root, 'target')
    const [first, second] = [aStoredProxy(root, 'first', target), aStoredProxy(root, 'second', target)]
    await insertAll(store, target, second, first, aStoredProxy(root, 'other', root))
    const update = (before: Document, after: Document) => store.transact((tx) => tx.documents.update(before, after))
    const changed = { ...target, state: 'approved', changeToken: { system: 1, user: 0 } }
    assert.deepEqual(await update(target, changed), [first.id, second.id])
    const trashed = { ...changed, isTrashed: true, changeToken: { system: 2, user: 0 } }
    assert.deepEqual(await update(changed, trashed), [first.id, second.id])
    assert.deepEqual(await update(first, { ...first, state: 'approved' }), [])
  })
})

onEachEngine('removing documents', (engine) => {
  test('takes all below with it, no sibling that begins alike, and names the live documents', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const folder = aStoredChild(root, 'a_%')
    const inside = aStoredChild(folder, '💡')
    const proxy = aStoredProxy(folder, 'proxy', root)
    const siblings = ['a_%-b', 'a_%.txt', 'a_%0', 'axx', 'a'].map((name) => aStoredChild(root, name))
    await insertAll(store, folder, inside, proxy, ...siblings)
    const removed = await store.transact((tx) => tx.documents.removeSubtree(folder))
    assert.deepEqual(removed.liveIds.toSorted(), [folder.id, inside.id].toSorted())
    assert.deepEqual(removed.proxiedSeriesIds, [root.id])
    assert.equal(await store.reader.documents.countChildren({ parentId: root.id }, 100), siblings.length)
    assert.equal(await store.reader.documents.find(proxy.id), undefined)
  })

  test('removes a document without a place, and a single one', async () => {
    const store = await engine.openStore()
    const live = await insertRoot(store)
    const version = aStoredVersion(live)
    const placeless = aStoredDocument({ path: null, name: 'placeless' })
    await insertAll(store, version, placeless)
    assert.deepEqual((await store.transact((tx) => tx.documents.removeSubtree(placeless))).liveIds, [placeless.id])
    assert.deepEqual((await store.transact((tx) => tx.documents.removeSubtree(version))).liveIds, [])
    await store.transact((tx) => tx.documents.remove(live.id))
    assert.deepEqual(await store.reader.documents.findAll([live.id, version.id, placeless.id]), [])
  })

  test('finds what is retained or on hold anywhere at or below', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const a = aStoredChild(root, 'a')
    const held = aStoredChild(a, 'held', { hasLegalHold: true })
    const b = aStoredChild(root, 'b')
    const retained = aStoredChild(b, 'retained', { retainUntil: later })
    const expired = aStoredChild(root, 'c', { retainUntil: now })
    const dash = aStoredChild(root, 'c-d', { hasLegalHold: true })
    await insertAll(store, a, held, b, retained, expired, dash)
    const { documents } = store.reader
    assert.equal((await documents.findRetained('/a', now))?.id, held.id)
    assert.equal((await documents.findRetained('/a/held', now))?.id, held.id)
    assert.equal((await documents.findRetained('/b', now))?.id, retained.id)
    assert.equal(await documents.findRetained('/c', now), undefined)
    assert.equal((await documents.findRetained('/', now))?.id, held.id)
  })

  test('finds a proxy that points in from outside, not one from inside', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const a = aStoredChild(root, 'a')
    const target = aStoredChild(a, 'target')
    const inside = aStoredProxy(a, 'inside', target)
    await insertAll(store, a, target, inside)
    assert.equal(await store.reader.documents.findProxyInto('/a'), undefined)
    const outside = aStoredProxy(root, 'a-outside', target)
    await insertAll(store, outside)
    assert.deepEqual(await store.reader.documents.findProxyInto('/a'), { proxyId: outside.id, targetId: target.id })
    assert.equal(await store.reader.documents.findProxyInto('/a-outside'), undefined)
  })
})

onEachEngine('versions', (engine) => {
  test('are listed oldest first, and the latest flags follow the time of creation', async () => {
    const store = await engine.openStore()
    const live = await insertRoot(store)
    const version = (major: number, minor: number, versionCreated: string) =>
      aStoredVersion(live, { majorVersion: major, minorVersion: minor, versionCreated })
    const one = version(1, 0, '2024-01-01T00:00:00.000Z')
    const oneOne = version(1, 1, '2024-01-02T00:00:00.000Z')
    const sameMoment = version(1, 2, '2024-01-02T00:00:00.000Z')
    await insertAll(store, oneOne, sameMoment, one)
    await store.transact((tx) => tx.documents.refreshLatestFlags(live.id))
    const listed = await store.reader.documents.listVersions(live.id)
    assert.deepEqual(
      listed.map(({ id, isLatestVersion, isLatestMajorVersion }) => [id, isLatestVersion, isLatestMajorVersion]),
      [
        [one.id, false, true],
        [oneOne.id, false, false],
        [sameMoment.id, true, false],
      ],
    )
    assert.equal((await store.reader.documents.findLatestVersion(live.id))?.id, sameMoment.id)
    await store.transact(async (tx) => {
      await tx.documents.remove(sameMoment.id)
      await tx.documents.refreshLatestFlags(live.id)
    })
    assert.equal((await store.reader.documents.find(oneOne.id))?.isLatestVersion, true)
  })

  test('are removed as orphans only without live document and without proxy', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const [kept, gone, proxied] = ['kept', 'gone', 'proxied'].map((name) => aStoredChild(root, name)) as [
      Document,
      Document,
      Document,
    ]
    const versions = [kept, gone, gone, proxied].map((live) => aStoredVersion(live, { versionCreated: now }))
    await insertAll(store, kept, ...versions, aStoredProxy(root, 'proxy', versions[3] as Document))
    assert.equal(await store.reader.documents.countProxies(proxied.id), 1)
    const ids = [kept.id, gone.id, proxied.id]
    const removed = await store.transact(async ({ documents }) => {
      const orphans = await documents.lockOrphanVersions(ids)
      await documents.removeVersions(orphans)
      return orphans
    })
    assert.deepEqual(removed, [versions[1]?.id, versions[2]?.id])
    assert.equal((await store.reader.documents.listVersions(kept.id)).length, 1)
    assert.equal((await store.reader.documents.listVersions(gone.id)).length, 0)
    assert.equal((await store.reader.documents.listVersions(proxied.id)).length, 1)
  })
})

// Doubles and longs as they are read back: an integral double is a number in JSON whatever its field says.
const scalar = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0) && !isLongLike(number)),
  fc.integer(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
  fc.constant(-(2n ** 63n)),
  fc.boolean(),
)
const { propertyValue } = fc.letrec<{ propertyValue: PropertyValue }>((tie) => ({
  propertyValue: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('propertyValue'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('propertyValue'), { maxKeys: 3 }).map((object) => ({ ...object })),
  ),
}))

function isLongLike(number: number): boolean {
  return Number.isInteger(number) && !Number.isSafeInteger(number) && Math.abs(number) < 2 ** 63
}
