import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { rootsOf } from './trash-selection.ts'

const at = (...paths: readonly (string | null)[]) => paths.map((path) => ({ path }))
const anyPath = fc.array(fc.constantFrom('a', 'b', 'a b', 'a.b'), { maxLength: 4 }).map((parts) => `/${parts.join('/')}`)

describe('the roots of a selection', () => {
  const rows: readonly [selection: readonly (string | null)[], roots: readonly (string | null)[]][] = [
    [[], []],
    [['/a'], ['/a']],
    [['/a/b/c', '/a', '/a/b'], ['/a']],
    [
      ['/a/b', '/a/c', '/d'],
      ['/a/b', '/a/c', '/d'],
    ],
    [
      ['/a', '/ab', '/a b/c', '/a.b'],
      ['/a', '/ab', '/a b/c', '/a.b'],
    ],
    [
      ['/a/b', null, '/a', null],
      [null, '/a', null],
    ],
    [['/a', '/', '/b'], ['/']],
  ]
  for (const [selection, roots] of rows) {
    test(`of ${JSON.stringify(selection)} are ${JSON.stringify(roots)}`, () => {
      assert.deepEqual(rootsOf(at(...selection)), at(...roots))
    })
  }

  test('cover all of it, and none covers another', () => {
    const covers = (above: string, below: string) => above !== below && (above === '/' || below.startsWith(`${above}/`))
    fc.assert(
      fc.property(fc.uniqueArray(anyPath), (paths) => {
        const roots = rootsOf(at(...paths)).map(({ path }) => path as string)
        for (const path of paths) assert.ok(roots.includes(path) || roots.some((root) => covers(root, path)))
        for (const root of roots) assert.ok(!paths.some((other) => covers(other, root)))
      }),
    )
  })
})
