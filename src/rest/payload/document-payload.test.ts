import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../base/json.ts'
import { readBody } from './declared-input.ts'
import { documentBody, isEmptyStringNull, requireTypeAndName } from './document-payload.ts'

describe('a body that is no document', () => {
  const rows: [string, Json | undefined, string][] = [
    ['nothing', undefined, 'Json does not contain an object as expected'],
    ['null', null, 'Json does not contain an object as expected'],
    ['a list', [{ 'entity-type': 'document' }], 'Json does not contain an object as expected'],
    ['a text', 'document', 'Json does not contain an object as expected'],
    ['an object without type', { type: 'File' }, 'Json object does not contain an entity-type field as expected'],
    ['one whose type is no text', { 'entity-type': 5 }, 'Json object does not contain an entity-type field as expected'],
    ['another entity', { 'entity-type': 'user' }, 'Json object entity-type is wrong. Expected is document but was user'],
  ]
  for (const [name, body, message] of rows) {
    test(`${name} is refused`, () => assert.throws(() => readBody(documentBody, body), { kind: 'invalid', message }))
  }
})

describe('a document body', () => {
  const parse = (fields: { [key: string]: Json }) => readBody(documentBody, { 'entity-type': 'document', ...fields })

  test('gives what is read of it', () => {
    const properties = { 'dc:title': 'Plan' }
    assert.deepEqual(parse({ type: 'File', name: 'plan', uid: 'x', changeToken: '1-0', properties, state: 'approved' }), {
      'entity-type': 'document',
      type: 'File',
      name: 'plan',
      uid: 'x',
      changeToken: '1-0',
      properties,
    })
  })

  test('says nothing by blanks, nulls and values that are no text', () => {
    const nothing = { 'entity-type': 'document' }
    assert.deepEqual(parse({}), nothing)
    assert.deepEqual(parse({ type: ' ', name: '', uid: null, changeToken: '', properties: null }), nothing)
    assert.deepEqual(parse({ type: 1, name: true, uid: {}, changeToken: 5, properties: [1] }), nothing)
  })

  test('needs type and name to create', () => {
    assert.deepEqual(requireTypeAndName(parse({ type: 'File', name: 'plan' })), { type: 'File', name: 'plan' })
    for (const fields of [{ type: 'File' }, { name: 'plan' }, { type: ' ', name: 'plan' }]) {
      assert.throws(() => requireTypeAndName(parse(fields)), { kind: 'invalid', message: 'type or name property is missing' })
    }
  })
})

describe('an empty string', () => {
  const rows: [string | undefined, boolean, boolean][] = [
    [undefined, false, false],
    [undefined, true, true],
    ['true', false, true],
    ['TRUE', false, true],
    ['false', true, false],
    ['', true, true],
  ]
  for (const [header, legacyJson, expected] of rows) {
    test(`means ${expected ? 'null' : 'itself'} with header ${header} where the server says ${legacyJson}`, () => {
      assert.equal(isEmptyStringNull({ headers: { 'x-nxdocumentjsonlegacy': header } }, { legacyJson }), expected)
    })
  }
})
