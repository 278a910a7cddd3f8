import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { aStoredChild, insertRoot } from '../../../test/support/stored-document.ts'
import { silentLog } from '../../base/log.ts'
import { openSqliteStore } from './sqlite-store.ts'

describe('the write-ahead log', () => {
  test('does not grow for ever while requests read and write in every round of the event loop', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-log-'))
    const file = join(folder, 'test.sqlite')
    const store = await openSqliteStore({ file, repository: 'default', indexedProperties: [], log: silentLog })
    context.after(async () => {
      await store.close()
      await rm(folder, { recursive: true })
    })
    const root = await insertRoot(store)
    const request = async (name: string) => {
      await store.reader.documents.find(root.id)
      await store.transact((tx) =>
        tx.documents.insert(aStoredChild(root, name, { properties: { 'dc:title': 'x'.repeat(3_000) } })),
      )
    }
    // Somebody else is always in the middle of reading when a commit comes.
    let isOver = false
    const others = (async () => {
      while (!isOver) {
        await store.reader.documents.find(root.id)
        await new Promise((resolve) => setTimeout(resolve))
      }
    })()
    for (let round = 0; round < 600; round++) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => request(`${round}-${index}`)))
    }
    isOver = true
    await others
    const { size } = await stat(`${file}-wal`)
    assert.ok(size < 40_000_000, `${size} bytes`)
  })
})
