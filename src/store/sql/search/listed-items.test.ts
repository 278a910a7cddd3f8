import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { aStoredChild, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import type { ItemsWindow } from '../../search.ts'

const now = '2031-01-01T00:00:00.000Z'

onEachEngine('the items of a list', (engine) => {
  async function open() {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const withTags = (name: string, acpId: number, ...labels: readonly string[]) =>
      aStoredChild(root, name, { acpId, properties: { 'nxtag:tags': labels.map((label) => ({ label, username: null })) } })
    await insertAll(
      store,
      withTags('one', 1, 'sea', 'sun', 'été', '🎉'),
      withTags('two', 1, 'sun', 'sand'),
      withTags('three', 2, 'secret', 'sun'),
    )
    return (window: Partial<ItemsWindow>, readableAcps?: readonly number[]) =>
      store.reader.search.listItems(
        { name: 'nxtag:tags/*/label', prefix: '', limit: 10, ...window },
        { now, ...(readableAcps && { readableAcps }) },
      )
  }

  test('come once each, in order of code points', async () => {
    const list = await open()
    assert.deepEqual(await list({}), ['sand', 'sea', 'secret', 'sun', 'été', '🎉'])
  })
  test('are those that begin so, behind the last one, and no more than asked for', async () => {
    const list = await open()
    assert.deepEqual(await list({ prefix: 'se' }), ['sea', 'secret'])
    assert.deepEqual(await list({ prefix: 's', after: 'sea' }), ['secret', 'sun'])
    assert.deepEqual(await list({ prefix: 's', limit: 1 }), ['sand'])
    assert.deepEqual(await list({ prefix: 'é' }), ['été'])
    assert.deepEqual(await list({ prefix: '\u{10ffff}' }), [])
  })
  test('are those of documents that may be found, and no others', async () => {
    const list = await open()
    assert.deepEqual(await list({ prefix: 's' }, [1]), ['sand', 'sea', 'sun'])
    assert.deepEqual(await list({ prefix: 's' }, [2]), ['secret', 'sun'])
    assert.deepEqual(await list({}, []), [])
    assert.deepEqual(await list({ prefix: 's', limit: 1 }, [2]), ['secret'])
  })
  test('are none of a list that is not indexed', async () => {
    const list = await open()
    assert.deepEqual(await list({ name: 'dc:title' }), [])
  })
})
