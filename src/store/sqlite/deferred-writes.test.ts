import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { createDeferredWrites } from './deferred-writes.ts'

function prepare() {
  const done: unknown[] = []
  const runNow = ({ values: [value] }: { readonly values: readonly unknown[] }) => void done.push(value)
  return { done, deferred: createDeferredWrites({ runNow, nextTurn: () => undefined }) }
}

describe('deferred writes', () => {
  test('wait until they are flushed, and are then done once', async () => {
    const { done, deferred } = prepare()
    for (const word of ['one', 'two']) await deferred.add(sql`INSERT ${word}`)
    assert.deepEqual(done, [])
    await deferred.flush()
    await deferred.flush()
    assert.deepEqual(done, ['one', 'two'])
  })

  test('wait again when what was done since the mark is undone, and what came after it is forgotten', async () => {
    const { done, deferred } = prepare()
    await deferred.add(sql`INSERT ${'before'}`)
    const rewind = deferred.mark()
    await deferred.add(sql`INSERT ${'after'}`)
    await deferred.flush()
    rewind()
    await deferred.flush()
    assert.deepEqual(done, ['before', 'after', 'before'])
  })

  test('do not wait for long when they are large', async () => {
    const { done, deferred } = prepare()
    const large = 'x'.repeat(600_000)
    await deferred.add(sql`INSERT ${large}`)
    assert.equal(done.length, 0)
    await deferred.add(sql`INSERT ${large}`)
    assert.equal(done.length, 2)
  })
})
