import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Resolver } from '../../model/field.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import { findSentReference } from './sent-reference.ts'

const user: Resolver = { kind: 'user', type: 'any', validation: false }
const flat: Resolver = { kind: 'directory', directory: 'nature', validation: true }
const nested: Resolver = { kind: 'directory', directory: 'l10nsubjects', parentField: 'parent', separator: '/', validation: true }
const document = (store: 'id' | 'path' | 'idOnly' | 'pathOnly'): Resolver => ({ kind: 'document', store, validation: true })

const entry = (id: string, parent?: string | JsonObject): JsonObject => ({
  'entity-type': 'directoryEntry',
  id,
  properties: { id, ...(parent !== undefined && { parent }) },
})
const plan = { 'entity-type': 'document', repository: 'default', uid: 'x', path: '/plan' }

describe('an entity sent for a reference', () => {
  const rows: [string, JsonObject, Resolver, PropertyValue, string | undefined][] = [
    ['a user', { 'entity-type': 'user', id: 'bob' }, user, null, 'bob'],
    ['a group by its old name', { 'entity-type': 'group', groupname: 'staff' }, user, null, 'staff'],
    ['a user that is stored with a prefix', { id: 'bob' }, user, 'user:bob', 'user:bob'],
    ['another user than the stored one', { id: 'bob' }, user, 'alice', 'bob'],
    ['an entry', entry('article'), flat, null, 'article'],
    ['an entry of a directory without parents', entry('article', 'x'), flat, null, 'article'],
    ['an entry below another', entry('cinema', 'art'), nested, null, 'art/cinema'],
    ['an entry with its parent fetched', entry('cinema', entry('art')), nested, null, 'art/cinema'],
    ['an entry with two parents fetched', entry('c', entry('b', entry('a'))), nested, null, 'a/b/c'],
    ['an entry at the top', entry('art', ''), nested, null, 'art'],
    ['an entry that is stored without its parent', entry('cinema', 'art'), nested, 'cinema', 'cinema'],
    ['an entry among several', entry('c', 'b'), nested, ['x/y', 'a/b/c'], 'a/b/c'],
    ['an entry stored inside a part', entry('c', 'b'), nested, [{ subject: 'a/b/c' }], 'a/b/c'],
    ['a document by id', plan, document('id'), null, 'default:x'],
    ['a document by path', plan, document('path'), null, 'default:/plan'],
    ['a document by its bare id', plan, document('idOnly'), null, 'x'],
    ['a document by its bare path', plan, document('pathOnly'), null, '/plan'],
    ['a document stored the other way', plan, document('id'), 'default:/plan', 'default:/plan'],
    ['a document of no repository', { uid: 'x' }, document('id'), null, undefined],
    ['a user without id', { 'entity-type': 'user' }, user, 'bob', undefined],
    ['an entry without id', { properties: { id: 'x' } }, flat, null, undefined],
    ['a version that is nowhere', { repository: 'default', uid: 'x', path: null }, document('path'), null, undefined],
  ]
  for (const [name, json, resolver, current, expected] of rows) {
    test(`${name} is stored as ${expected ?? 'nothing'}`, () => {
      assert.equal(findSentReference(json, resolver, { value: current, steps: [] }), expected)
    })
  }

  test('keeps what stands in its own place before what stands in another', () => {
    const value = ['cinema', 'art/cinema']
    const sent = value.map((_, index) => findSentReference(entry('cinema', 'art'), nested, { value, steps: [String(index)] }))
    assert.deepEqual(sent, value)
  })
})
