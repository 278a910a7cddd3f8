import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { batchesOf, mapSome } from './batches.ts'
import { type SourceEntry, sourceRoot } from './source-tree.ts'

const folder = sourceRoot('/x')
const aFile = (length: number): SourceEntry => ({
  kind: 'file',
  file: { path: Buffer.from('/x/a'), name: 'a', shown: 'a', folder, length, modified: new Date(0) },
})

async function sizes(entries: readonly SourceEntry[]) {
  const aside: SourceEntry[] = []
  async function* found() {
    yield* entries
  }
  const batches = await Array.fromAsync(batchesOf(found(), (entry) => aside.push(entry)))
  return { batches: batches.map((batch) => batch.length), aside }
}

describe('batches', () => {
  test('hold 50 at most', async () => {
    assert.deepEqual((await sizes(Array.from({ length: 120 }, () => aFile(1)))).batches, [50, 50, 20])
  })
  test('hold fewer texts that are long, for these stay in memory', async () => {
    assert.deepEqual((await sizes(Array.from({ length: 40 }, () => aFile(1024 ** 2)))).batches, [16, 16, 8])
  })
  test('hold large files like any others, for these do not', async () => {
    assert.deepEqual((await sizes(Array.from({ length: 20 }, () => aFile(1e12)))).batches, [16, 4])
  })
  test('are none of nothing', async () => assert.deepEqual((await sizes([])).batches, []))
  test('hold nothing that was left out or cannot be read', async () => {
    const leftOut: SourceEntry = { kind: 'leftOut', shown: 'b', reason: 'hidden' }
    const unreadable: SourceEntry = { kind: 'unreadable', shown: 'c', error: new Error('no') }
    const { batches, aside } = await sizes([leftOut, aFile(1), unreadable])
    assert.deepEqual([batches, aside], [[1], [leftOut, unreadable]])
  })
})

describe('work on some at a time', () => {
  test('never has more under way, and keeps the order', async () => {
    let atWork = 0
    let max = 0
    const results = await mapSome([3, 1, 2, 0, 5], 2, async (turns) => {
      max = Math.max(max, ++atWork)
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      atWork -= 1
      return turns * 10
    })
    assert.deepEqual([results, max], [[30, 10, 20, 0, 50], 2])
  })
  test('fails when one fails', async () => {
    await assert.rejects(
      mapSome([1, 2], 1, async () => Promise.reject(new Error('no'))),
      /no/,
    )
  })
})
