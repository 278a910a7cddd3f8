import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boolean, clob, complex, directoryEntry, isScalar, list, long, named, string, user } from './field.ts'

test('a field is nillable, unset and not indexed unless declared otherwise', () => {
  assert.deepEqual(string(), { type: { kind: 'string', constraints: [] }, nillable: true, defaultValue: null, indexed: false })
  assert.deepEqual(long({ nillable: false, default: 0, indexed: true }), {
    type: { kind: 'long', constraints: [] },
    nillable: false,
    defaultValue: 0,
    indexed: true,
  })
})

test('a default that is false counts as one', () => assert.equal(boolean({ default: false }).defaultValue, false))

test('an unset list is empty', () => {
  assert.deepEqual(list(string()).defaultValue, [])
  assert.deepEqual(list(string(), { default: ['a'] }).defaultValue, ['a'])
})

test('limits become constraints, after those given', () => {
  const { type } = string({ maxLength: 5, pattern: 'a+', values: ['a'], constraints: [{ kind: 'length', minimum: 1 }] })
  assert.ok(isScalar(type))
  assert.deepEqual(
    type.constraints.map((constraint) => constraint.kind),
    ['length', 'length', 'pattern', 'enum'],
  )
})

test('a long text may be shorter by declaration, never by default', () => {
  assert.deepEqual(clob().type, { kind: 'string', constraints: [{ kind: 'length', maximum: 999_999_999 }] })
  assert.deepEqual(clob({ maxLength: 10 }).type, { kind: 'string', constraints: [{ kind: 'length', maximum: 10 }] })
})

describe('a reference', () => {
  test('to a user is not validated unless asked', () => {
    assert.deepEqual(user().type, {
      kind: 'string',
      constraints: [],
      resolver: { kind: 'user', type: 'user', validation: false },
    })
  })
  test('to a directory is validated unless told not to', () => {
    assert.deepEqual(directoryEntry('nature').type, {
      kind: 'string',
      constraints: [],
      resolver: { kind: 'directory', directory: 'nature', validation: true },
    })
    const subjects = directoryEntry('l10nsubjects', { parentField: 'parent', separator: '/', validation: false, indexed: true })
    assert.deepEqual(subjects.type, {
      kind: 'string',
      constraints: [],
      resolver: { kind: 'directory', directory: 'l10nsubjects', parentField: 'parent', separator: '/', validation: false },
    })
    assert.equal(subjects.indexed, true)
  })
})

test('fields keep the order in which they are declared, and items are called item', () => {
  assert.deepEqual(
    named({ b: string(), a: list(complex({ z: string(), y: string() })) }).map((field) => field.name),
    ['b', 'a'],
  )
  const { type } = list(string())
  assert.equal(type.kind === 'list' && type.item.name, 'item')
})
