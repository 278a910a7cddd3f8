import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../../../test/support/model/builtin-model.ts'
import { aModel } from '../../../../test/support/rendering.ts'
import { defineDocumentType } from '../../../model/document-type.ts'
import { complex, double, list, long, string } from '../../../model/field.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { defineSchema } from '../../../model/schema.ts'
import { invalidCriterion, itemsOf, readCriteria } from './search-document.ts'

function decoded(name: string, sent: PropertyValue, type = 'DefaultSearch'): PropertyValue | undefined {
  return readCriteria(builtinModel, type, { named: { [name]: sent } }).find(name)?.value
}

describe('14.2 a named parameter that is a property of the search document', () => {
  const rows: [name: string, sent: PropertyValue, value: PropertyValue][] = [
    ['ecm_fulltext', 'report', 'report'],
    ['defaults:ecm_fulltext', 'report', 'report'],
    ['default_search:ecm_fulltext', 'report', 'report'],
    ['ecm_fulltext', '', null],
    ['dc_creator', '["bob","pete"]', ['bob', 'pete']],
    ['dc_creator', 'bob, pete', ['bob', 'pete']],
    ['dc_creator', 'bob', ['bob']],
    ['dc_creator', '', []],
    ['dc_creator', ['bob'], ['bob']],
    ['dc_modified_min', '2024-05-01T00:00:00.000Z', '2024-05-01T00:00:00.000Z'],
    ['dc_modified_min', '2024-05-01', '2024-05-01T00:00:00.000Z'],
    ['dc_modified_min', '2024-05-01 10:00:00+02:00', '2024-05-01T08:00:00.000Z'],
    ['dc_modified_min', '', null],
    ['saved:pageSize', '20', 20],
  ]
  for (const [name, sent, value] of rows) {
    test(`${name}=${JSON.stringify(sent)}`, () => assert.deepEqual(decoded(name, sent), value))
  }

  test('is decoded by its type: boolean, double, part', () => {
    const fields = { ratio: double(), place: complex({ city: string() }), sizes: list(long()) }
    const model = aModel({
      schemas: [defineSchema('np', { fields })],
      documentTypes: [defineDocumentType('NpSearch', { extends: 'Document', schemas: ['np'] })],
    })
    const named = { ratio: '0.5', place: '{"city":"Paris"}', sizes: '[1,2]' }
    const { document } = readCriteria(model, 'NpSearch', { named })
    assert.deepEqual(document?.properties, { 'np:ratio': 0.5, 'np:place': { city: 'Paris' }, 'np:sizes': [1, 2] })
    assert.equal(decoded('ecm_trashed', 'true', 'AdvancedContent'), true)
    assert.equal(decoded('ecm_trashed', 'false', 'AdvancedContent'), false)
  })

  test('without a prefix is one of the type itself before one that it inherits', () => {
    const { document } = readCriteria(builtinModel, 'ExpiredSearch', { named: { title: 'x' } })
    assert.deepEqual(document?.properties['expired_search:title'], 'x')
    assert.equal(document?.properties['dc:title'], undefined)
  })

  const mistakes: [name: string, sent: PropertyValue, message: string][] = [
    ['dc_modified_min', 'yesterday', "Invalid parameter: dc_modified_min must be a date, not 'yesterday'."],
    ['dc_creator', '["bob"', `Invalid parameter: dc_creator must be a list, not '["bob"'.`],
    ['saved:pageSize', 'x', "Invalid parameter: saved:pageSize must be a long, not 'x'."],
  ]
  for (const [name, sent, message] of mistakes) {
    test(`${name}=${sent} is refused`, () => {
      assert.throws(
        () => decoded(name, sent),
        (error) => invalidCriterion.is(error) && error.message === message,
      )
    })
  }
})

describe('criteria', () => {
  test('start from the defaults of the type', () => {
    assert.equal(readCriteria(builtinModel, 'AdvancedContent', {}).find('ecm_trashed')?.value, false)
  })

  test('start from a saved search, which parameters change', () => {
    const searchDocument = { type: 'DefaultSearch', properties: { 'defaults:ecm_fulltext': 'a', 'defaults:dc_creator': ['bob'] } }
    const criteria = readCriteria(builtinModel, 'DefaultSearch', { searchDocument, named: { ecm_fulltext: 'b' } })
    assert.equal(criteria.find('ecm_fulltext')?.value, 'b')
    assert.deepEqual(criteria.findField({ schema: 'default_search', name: 'dc_creator' })?.value, ['bob'])
  })

  test('keep what is no property as it is', () => {
    const criteria = readCriteria(builtinModel, 'DefaultSearch', { named: { parameter1: '["a"]' } })
    assert.deepEqual(criteria.findField({ name: 'parameter1' }), { value: '["a"]' })
    assert.equal(criteria.find('parameter2'), undefined)
  })

  test('need no search document', () => {
    const criteria = readCriteria(builtinModel, undefined, { named: { 'dc:title': 'x' } })
    assert.deepEqual([criteria.document, criteria.find('dc:title')], [undefined, { value: 'x' }])
  })
})

describe('the items of a criterion', () => {
  const rows: [value: PropertyValue, items: readonly PropertyValue[]][] = [
    ['["a","b"]', ['a', 'b']],
    ['[broken', ['[broken']],
    ['a,b', ['a,b']],
    [['a'], ['a']],
    [null, []],
  ]
  for (const [value, items] of rows) {
    test(`of the free parameter ${JSON.stringify(value)}`, () => assert.deepEqual(itemsOf({ value }), items))
  }
})
