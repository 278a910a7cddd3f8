import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { reordered } from './order-children.ts'

test('a child comes just before another, and the rest keep their order', () => {
  const lists = fc.uniqueArray(fc.nat(50).map(String), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(lists, fc.nat(), fc.nat(), (ids, one, other) => {
      const [child, before] = [ids[one % ids.length] ?? '', ids[other % ids.length] ?? '']
      const after = reordered(ids, child, before)
      assert.deepEqual(
        after.filter((id) => id !== child),
        ids.filter((id) => id !== child),
      )
      if (child === before) assert.deepEqual(after, ids)
      else assert.equal(after.indexOf(child), after.indexOf(before) - 1)
    }),
  )
})

test('a child before nothing comes last', () => {
  assert.deepEqual(reordered(['a', 'b', 'c'], 'a', null), ['b', 'c', 'a'])
  assert.deepEqual(reordered(['a', 'b', 'c'], 'c', null), ['a', 'b', 'c'])
})
