import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { SqlRow } from '../sql/connection.ts'
import { compareValues, mergeRows } from './row-merge.ts'

async function* paged(rows: readonly SqlRow[], size: number): AsyncGenerator<readonly SqlRow[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

describe('two ordered lists of rows', () => {
  test('are paired by their keys, whatever the pages are', async () => {
    const keys = fc.uniqueArray(fc.integer({ min: 0, max: 40 }))
    await fc.assert(
      fc.asyncProperty(keys, keys, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }), async (ours, theirs, p, q) => {
        const rows = (list: readonly number[]) => list.toSorted((a, b) => a - b).map((key): SqlRow => [`of ${key}`, key])
        const found: Record<string, number[]> = { both: [], missing: [], extra: [] }
        for await (const pair of mergeRows(paged(rows(ours), p), paged(rows(theirs), q), [1]))
          found[pair.kind]?.push(Number((pair.kind === 'extra' ? pair.target : pair.source)[1]))
        const sorted = (some: Set<number>) => [...some].sort((a, b) => a - b)
        const [left, right] = [new Set(ours), new Set(theirs)]
        assert.deepEqual(found, {
          both: sorted(left.intersection(right)),
          missing: sorted(left.difference(right)),
          extra: sorted(right.difference(left)),
        })
      }),
    )
  })

  test('that no key tells apart are paired one by one', async () => {
    const kinds: string[] = []
    for await (const { kind } of mergeRows(paged([[1], [1], [2]], 2), paged([[1], [2], [2]], 1), [0])) kinds.push(kind)
    assert.deepEqual(kinds, ['both', 'missing', 'both', 'extra'])
  })

  test('are in the order of code points, as the bytes of UTF-8 are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
        assert.equal(Math.sign(compareValues(left, right)), Buffer.compare(Buffer.from(left), Buffer.from(right)))
      }),
    )
    assert.ok(compareValues('\u{1f600}', '\uffee') > 0)
    assert.ok(compareValues(null, '') < 0)
  })
})
