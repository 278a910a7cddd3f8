import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type EntryNode, entryTree, findNodes, moved, siblingsOf } from './entry-tree.ts'

const entry = (id: string, parent: string | null = null, properties: object = {}) => ({
  'entity-type': 'directoryEntry' as const,
  directoryName: 'animals',
  id,
  properties: { id, parent, ...properties },
})
const own = { name: 'animals', parent: 'animals' }
const shape = (nodes: readonly EntryNode[]): unknown =>
  nodes.map(({ id, children }) => (children.length === 0 ? id : [id, shape(children)]))

describe('the tree of a vocabulary', () => {
  test('has entries below their parents, in the order in which they came', () => {
    const entries = [entry('b'), entry('c', 'a'), entry('a'), entry('d', 'c'), entry('e', 'a')]
    assert.deepEqual(shape(entryTree(own, entries, [], 'en')), ['b', ['a', [['c', ['d']], 'e']]])
  })

  test('has those at the top whose parents are not there, and the first of a circle', () => {
    const entries = [entry('a', 'nosuch'), entry('b', 'c'), entry('c', 'b'), entry('d', 'd')]
    assert.deepEqual(shape(entryTree(own, entries, [], 'en')), ['a', ['b', ['c']], 'd'])
  })

  test('has the entries of the vocabulary above, which are none of its own', () => {
    const tree = entryTree({ name: 'cats', parent: 'animals' }, [entry('x', 'a'), entry('a')], [entry('a'), entry('b')], 'en')
    assert.deepEqual(shape(tree), [['a', ['x']], 'b', 'a'])
    assert.deepEqual(
      tree.map(({ isAbove }) => isAbove),
      [true, true, false],
    )
    assert.notEqual(tree[0]?.key, 'a')
  })

  test('has every entry once, whatever their parents are', () => {
    const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'))
    fc.assert(
      fc.property(
        ids,
        fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', ''), { minLength: 6, maxLength: 6 }),
        (some, parents) => {
          const entries = some.map((id, index) => entry(id, parents[index] ?? ''))
          const all = findNodes(entryTree(own, entries, [], 'en'), '').map(({ id }) => id)
          assert.deepEqual([...all].sort(), [...some].sort())
        },
      ),
    )
  })

  test('says labels in the language, and finds by them and by ids', () => {
    const tree = entryTree(
      own,
      [entry('a', null, { label_en: 'Ant', label_fr: 'Fourmi' }), entry('b', 'a', { label: 'Bee' })],
      [],
      'fr',
    )
    assert.deepEqual(
      findNodes(tree, 'FOUR').map(({ label }) => label),
      ['Fourmi'],
    )
    assert.deepEqual(shape(findNodes(tree, 'b')), ['b'])
    assert.deepEqual(shape(siblingsOf(tree, 'b')), ['b'])
  })
})

describe('putting entries elsewhere', () => {
  const rows: readonly [some: string, target: string, place: 'before' | 'after', next: string | undefined][] = [
    ['c', 'a', 'before', 'cabd'],
    ['a', 'c', 'after', 'bcad'],
    ['ad', 'c', 'before', 'badc'],
    ['a', 'b', 'before', undefined],
    ['a', 'a', 'after', undefined],
    ['a', 'nosuch', 'after', undefined],
  ]
  for (const [some, key, place, next] of rows)
    test(`${some} ${place} ${key} gives ${next ?? 'nothing new'}`, () =>
      assert.equal(moved([...'abcd'], new Set(some), { key, place })?.join(''), next))
})
