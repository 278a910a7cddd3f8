import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { aStoredChild, aStoredProxy, aStoredVersion, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import type { Document } from '../../../model/document.ts'
import type { BlobUse } from '../../blob-keys.ts'
import type { Store } from '../../store.ts'

const key = (digit: string) => digit.repeat(32)
const long = 'c'.repeat(64)
const aFile = (of: string) => ({
  key: of,
  name: 'x',
  'mime-type': 'text/plain',
  encoding: null,
  digest: of,
  digestAlgorithm: 'MD5',
  length: 3,
})
const later = '9999-12-31T00:00:00.000Z'
const minuteAgo = () => new Date(Date.now() - 60_000).toISOString()
const inAMinute = () => new Date(Date.now() + 60_000).toISOString()

async function needed(store: Store, keys: readonly string[], releasedAfter = inAMinute()): Promise<readonly string[]> {
  return [...(await store.reader.blobKeys.listNeeded(keys, releasedAfter))].toSorted()
}

onEachEngine('the keys of files', (engine) => {
  test('are needed by live documents, versions, proxies and lists of files', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const live = aStoredChild(root, 'live', { type: 'File', properties: { 'file:content': aFile(key('1')) } })
    const version = aStoredVersion(live, { properties: { 'file:content': aFile(key('2')) } })
    const proxy = aStoredProxy(root, 'proxy', version, { properties: { 'file:content': aFile(key('2')) } })
    const many = aStoredChild(root, 'many', {
      type: 'File',
      properties: { 'files:files': [{ file: aFile(key('3')) }, { file: aFile(long) }] },
    })
    await insertAll(store, live, version, proxy, many)
    const all = ['1', '2', '3', '4'].map(key)
    assert.deepEqual(await needed(store, [...all, long]), [key('1'), key('2'), key('3'), long])
    assert.deepEqual(await needed(store, []), [])
  })

  test('are needed by properties that no schema knows any more', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const left = { 'gone:things': [{ scan: aFile(key('1')) }] }
    const document = aStoredChild(root, 'left', { properties: left })
    await insertAll(store, document)
    assert.deepEqual(await needed(store, [key('1')]), [key('1')])
    await store.transact((tx) => tx.documents.update(document, { ...document, properties: { ...left, 'dc:title': 'Changed' } }))
    assert.deepEqual(await needed(store, [key('1')]), [key('1')])
  })

  test('that a document lets go of are needed as long as others may have read of them there', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const aDocument = (name: string, properties: Document['properties']) => aStoredChild(root, name, { type: 'File', properties })
    const replaced = aDocument('replaced', { 'file:content': aFile(key('1')) })
    const removed = aDocument('removed', { 'file:content': aFile(key('2')) })
    const below = aStoredChild(removed, 'below', { type: 'File', properties: { 'file:content': aFile(key('3')) } })
    await insertAll(store, replaced, removed, below)
    await store.transact(async (tx) => {
      await tx.documents.update(replaced, { ...replaced, properties: { 'file:content': aFile(key('4')) } })
      await tx.documents.removeSubtree(removed)
    })
    const all = ['1', '2', '3', '4'].map(key)
    assert.deepEqual(await needed(store, all, minuteAgo()), all)
    assert.deepEqual(await needed(store, all, inAMinute()), [key('4')])
    await store.transact((tx) => tx.blobKeys.forgetReleases(minuteAgo()))
    assert.deepEqual(await needed(store, all, minuteAgo()), all)
    await store.transact((tx) => tx.blobKeys.forgetReleases(inAMinute()))
    assert.deepEqual(await needed(store, all, minuteAgo()), [key('4')])
  })

  test('in what is kept for later are mentioned, also when it has expired, and needed for a while when it is removed', async () => {
    const store = await engine.openStore()
    const mentioned = async () => [...(await store.reader.blobKeys.listMentioned())].toSorted()
    await store.transact(async (tx) => {
      for (let index = 0; index < 120; index++) await tx.transient.set(`many/${index}`, index, later)
      await tx.transient.set('upload/1', { blob: { key: key('1'), length: 2 }, id: `${key('9')}9` }, later)
      await tx.transient.set('upload/2', `see ${long}, or ${key('2')}`, '2000-01-01T00:00:00.000Z')
      await tx.transient.set('zz', { deep: [{ in: key('3') }] }, later)
      await tx.jobs.add('convert', { key: key('4') }, { runAfter: later })
    })
    assert.deepEqual(await mentioned(), [key('1'), key('2'), key('3'), key('4'), long].toSorted())
    await store.transact(async (tx) => {
      await tx.transient.removeAll('upload/')
      await tx.transient.remove('zz')
      await tx.transient.remove('there is none')
    })
    assert.deepEqual(await mentioned(), [key('4')])
    const all = [key('1'), key('2'), key('3'), long].toSorted()
    assert.deepEqual(await needed(store, all, minuteAgo()), all)
    assert.deepEqual(await needed(store, all), [])
  })

  test('are listed with the documents that have them, page by page', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const documents = Array.from({ length: 7 }, (_, index) =>
      aStoredChild(root, `n${index}`, { type: 'File', properties: { 'file:content': aFile(key(String(index % 3))) } }),
    )
    await insertAll(store, ...documents)
    const found: BlobUse[] = []
    for (let after: BlobUse | undefined; ; after = found.at(-1)) {
      const page = await store.reader.blobKeys.listUses(after, 2)
      found.push(...page)
      if (page.length < 2) break
    }
    const expected = documents.map(({ id, path }, index) => `${key(String(index % 3))} ${id} ${path}`)
    assert.deepEqual(
      found.map((use) => `${use.key} ${use.documentId} ${use.path}`),
      expected.toSorted((left, right) =>
        left.slice(0, 32) < right.slice(0, 32) ? -1 : left.slice(0, 32) > right.slice(0, 32) ? 1 : 0,
      ),
    )
    assert.deepEqual(found[0]?.properties, documents[0]?.properties)
  })

  test('that are not needed any more take along what was read from them', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    await insertAll(store, aStoredChild(root, 'kept', { type: 'File', properties: { 'file:content': aFile(key('1')) } }))
    const sources = ['1', '2'].map((digit) => ({ key: key(digit), mimeType: 'text/plain' }))
    await store.transact(async (tx) => {
      for (const source of sources) await tx.fileTexts.save(source, `text of ${source.key}`)
      await tx.blobKeys.forgetTexts([key('1'), key('2')])
    })
    assert.deepEqual(await store.reader.fileTexts.list(sources), [`text of ${key('1')}`])
  })
})
