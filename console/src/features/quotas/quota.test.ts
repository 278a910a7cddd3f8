import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullnessOf, type Quota, sharesOf } from './quota.ts'

const quota = (some: Partial<Quota>): Quota => ({
  innerSize: 0,
  totalSize: 0,
  sizeTrash: 0,
  sizeVersions: 0,
  maxSize: 0,
  ...some,
})
const shares = (some: Partial<Quota>) => sharesOf(quota(some)).map(({ kind, share }) => [kind, share])

test('a bar is as long as what is allowed, or as what there is where that is more', () => {
  assert.deepEqual(shares({ totalSize: 50, sizeTrash: 10, sizeVersions: 20, maxSize: 100 }), [
    ['live', 0.2],
    ['versions', 0.2],
    ['trash', 0.1],
  ])
  assert.deepEqual(shares({ totalSize: 200, sizeTrash: 100, maxSize: 100 }), [
    ['live', 0.5],
    ['versions', 0],
    ['trash', 0.5],
  ])
  assert.deepEqual(shares({}), [
    ['live', 0],
    ['versions', 0],
    ['trash', 0],
  ])
})

test('a folder is full at its quota, nearly so a tenth before, and never without a limit', () => {
  for (const [totalSize, maxSize, fullness] of [
    [89, 100, 'roomy'],
    [90, 100, 'nearlyFull'],
    [100, 100, 'full'],
    [200, 100, 'full'],
    [200, 0, 'roomy'],
  ] as const)
    assert.equal(fullnessOf(quota({ totalSize, maxSize })), fullness)
})
