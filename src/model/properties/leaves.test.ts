import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blob, boolean, complex, type FieldDeclaration, type FieldType, list, long, string } from '../field.ts'
import type { PropertyValue } from './property.ts'
import { leafWalk } from './value-bounds.ts'

const isText = ({ kind }: FieldType) => kind === 'string'

function textsIn({ type }: FieldDeclaration, value: PropertyValue): readonly PropertyValue[] {
  const leaves: PropertyValue[] = []
  leafWalk(type, isText)?.(value, (leaf) => leaves.push(leaf))
  return leaves
}

test('a value of the wanted type is its own leaf', () => {
  assert.deepEqual(textsIn(string(), 'a'), ['a'])
  assert.deepEqual(textsIn(list(string()), ['a', 'b']), ['a', 'b'])
})

test('leaves are found at any depth, in the order in which fields are declared', () => {
  const deep = list(complex({ name: string(), size: long(), parts: list(complex({ labels: list(string()) })) }))
  const value = [{ parts: [{ labels: ['b', 'c'] }, null], size: 3, name: 'a' }, { name: 'd' }, null]
  assert.deepEqual(textsIn(deep, value), ['a', 'b', 'c', 'd'])
})

test('members and items that share a declaration are each visited', () => {
  const shared = string()
  assert.deepEqual(textsIn(complex({ one: shared, other: shared }), { one: 'a', other: 'b' }), ['a', 'b'])
})

test('there is no walk where nothing wanted can be', () => {
  for (const { type } of [long(), blob(), list(boolean()), complex({ size: long(), on: list(boolean()) })]) {
    assert.equal(leafWalk(type, isText), undefined)
  }
})

test('what is not of its type has no leaves', () => {
  assert.deepEqual(textsIn(list(string()), 'a'), [])
  assert.deepEqual(textsIn(complex({ name: string() }), ['a']), [])
})
