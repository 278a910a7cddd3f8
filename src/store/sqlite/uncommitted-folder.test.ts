import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aStoredChild, insertRoot } from '../../../test/support/stored-document.ts'

onEachEngine('a folder that was made in a transaction which is rolled back', (engine) => {
  test('is not found afterwards, whatever was put into it', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const folder = aStoredChild(root, 'folder')
    const failed = store.transact(async ({ documents }) => {
      await documents.insert(folder)
      for (const _ of [1, 2, 3]) {
        const found = await documents.find(folder.id)
        assert.ok(found)
        await documents.findForShare(found)
      }
      assert.equal(await store.reader.documents.find(folder.id), undefined, 'nobody sees it before the commit')
      throw new Error('undone')
    })
    await assert.rejects(failed, /undone/)
    assert.equal(await store.reader.documents.find(folder.id), undefined)
  })
})
