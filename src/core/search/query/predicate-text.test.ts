import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../../../test/support/model/builtin-model.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { defaultSearchRules } from '../search-rules.ts'
import type { Predicate } from './predicate.ts'
import { predicateText, unsupportedOperator } from './predicate-text.ts'
import { readCriteria } from './search-document.ts'

type Named = { readonly [name: string]: PropertyValue }

function write(predicate: Omit<Predicate, 'fields'> & { fields?: Predicate['fields'] }, named: Named, type = 'DefaultSearch') {
  const criteria = readCriteria(builtinModel, type, { named })
  const fields = Object.keys(named).map((name) => ({ name }))
  return predicateText({ fields, ...predicate }, { model: builtinModel, rules: defaultSearchRules, criteria })
}

describe('16.3 a predicate on values that were filled in', () => {
  const rows: [property: string, operator: string, named: Named, text: string][] = [
    ...['=', '!=', '<>', '<', '>', '<=', '>=', 'LIKE', 'ILIKE', 'NOT LIKE', 'NOT ILIKE'].map(
      (operator): [string, string, Named, string] => ['dc:title', operator, { p: ' x ' }, `dc:title ${operator} 'x'`],
    ),
    ['dc:title', 'like', { p: 'x%' }, "dc:title LIKE 'x%'"],
    ['dc:title', '=', { p: "it's" }, "dc:title = 'it\\'s'"],
    ['uid:major_version', '=', { p: '12' }, 'uid:major_version = 12'],
    ['uid:major_version', '=', { p: '1 OR 1' }, "uid:major_version = '1 OR 1'"],
    ['ecm:isTrashed', '=', { p: 'true' }, 'ecm:isTrashed = 1'],
    ['dc:modified', '<', { p: '2024-05-01T10:11:12.345Z' }, "dc:modified < TIMESTAMP '2024-05-01 10:11:12'"],
    ['dc:title', 'EMPTY', {}, "dc:title = ''"],
    ['dc:title', 'ISEMPTY', {}, "dc:title = ''"],
    ['dc:title', 'IS NULL', { p: true }, 'dc:title IS NULL'],
    ['dc:title', 'IS NULL', { p: 'false' }, 'dc:title IS NOT NULL'],
    [
      'dc:created',
      'BETWEEN',
      { dc_created_min: '2024-01-01', dc_created_max: '2024-02-01' },
      "dc:created BETWEEN TIMESTAMP '2024-01-01 00:00:00' AND TIMESTAMP '2024-02-01 00:00:00'",
    ],
    [
      'dc:created',
      'BETWEEN',
      { dc_created_min: '2024-01-01', dc_created_max: '' },
      "dc:created >= TIMESTAMP '2024-01-01 00:00:00'",
    ],
    [
      'dc:created',
      'BETWEEN',
      { dc_created_min: '', dc_created_max: '2024-02-01' },
      "dc:created <= TIMESTAMP '2024-02-01 00:00:00'",
    ],
    ['dc:creator', 'IN', { dc_creator: '["bob","pete"]' }, "dc:creator IN ('bob', 'pete')"],
    ['dc:creator', 'IN', { dc_creator: '["bob",null," "]' }, "dc:creator = 'bob'"],
    ['dc:creator', 'NOT IN', { dc_creator: '["bob","pete"]' }, "dc:creator NOT IN ('bob', 'pete')"],
    ['dc:creator', 'NOT IN', { dc_creator: '["bob"]' }, "dc:creator != 'bob'"],
    ['dc:creator', 'IN', { p: '["bob","pete"]' }, "dc:creator IN ('bob', 'pete')"],
    ['ecm:ancestorId', 'IN', { dc_creator: '["a","b"]' }, "(ecm:ancestorId = 'a' OR ecm:ancestorId = 'b')"],
    [
      'dc:subjects',
      'STARTSWITH',
      { dc_subjects: '["art","sciences/math"]' },
      "(dc:subjects STARTSWITH 'art' OR dc:subjects STARTSWITH 'sciences/math')",
    ],
    ['ecm:path', 'STARTSWITH', { p: '/a' }, "ecm:path STARTSWITH '/a'"],
    ['ecm:fulltext', 'FULLTEXT', { p: "it's, a (report)" }, "ecm:fulltext = 'it s a report'"],
    ['ecm:fulltext', 'FULLTEXT ALL', { p: 'report' }, "ecm:fulltext = 'report'"],
    ['dc:title', 'FULLTEXT', { p: 'report' }, "ecm:fulltext.dc:title = 'report'"],
    ['ecm:fulltext', 'FULLTEXT', { p: '!!' }, "ecm:fulltext = ''"],
  ]
  for (const [property, operator, named, text] of rows) {
    test(`${property} ${operator} ${JSON.stringify(named)}`, () => assert.equal(write({ property, operator }, named), text))
  }
})

describe('16.3 a predicate without values is left out', () => {
  const rows: [operator: string, named: Named][] = [
    ['=', { p: '' }],
    ['=', { p: '   ' }],
    ['=', { p: null }],
    ['=', {}],
    ['IN', { dc_creator: '[]' }],
    ['IN', { dc_creator: '["", null]' }],
    ['NOT IN', {}],
    ['BETWEEN', { dc_created_min: '', dc_created_max: '' }],
    ['STARTSWITH', { dc_subjects: '' }],
    ['FULLTEXT', { p: ' ' }],
    ['IS NULL', {}],
  ]
  for (const [operator, named] of rows) {
    test(`${operator} ${JSON.stringify(named)}`, () => assert.equal(write({ property: 'dc:title', operator }, named), undefined))
  }
})

describe('16.3 a predicate', () => {
  test('asks the field of the schema it names', () => {
    const fields = [{ schema: 'default_search', name: 'ecm_fulltext' }]
    assert.equal(write({ property: 'dc:title', operator: '=', fields }, { ecm_fulltext: 'x' }), "dc:title = 'x'")
  })

  test('asks a property by its xpath', () => {
    const fields = [{ xpath: 'defaults:ecm_fulltext' }]
    assert.equal(write({ property: 'dc:title', operator: '=', fields }, { ecm_fulltext: 'x' }), "dc:title = 'x'")
  })

  test('takes the operator that the client chose, and its own without one', () => {
    const predicate = { property: 'dc:title', operator: '=', operatorField: { name: 'how' }, fields: [{ name: 'p' }] }
    assert.equal(write(predicate, { p: 'x', how: 'like' }), "dc:title LIKE 'x'")
    assert.equal(write(predicate, { p: 'x', how: '' }), "dc:title = 'x'")
  })

  test('refuses an operator that there is not', () => {
    const predicate = { property: 'dc:title', operatorField: { name: 'how' }, fields: [{ name: 'p' }] }
    assert.throws(
      () => write(predicate, { p: 'x', how: "= 'y' OR dc:title =" }),
      unsupportedOperator({ operator: "= 'Y' OR DC:TITLE =" }),
    )
  })

  test('says its hint before the property', () => {
    const predicate = { property: 'dc:title', operator: '=', hint: 'ES: INDEX(a)' }
    assert.equal(write(predicate, { p: 'x' }), "/*+ES: INDEX(a) */ dc:title = 'x'")
    assert.equal(write({ ...predicate, operator: 'FULLTEXT' }, { p: 'x' }), "/*+ES: INDEX(a) */ ecm:fulltext.dc:title = 'x'")
  })

  test('that is a clause is taken as it is', () => {
    const predicate = { property: 'any', kind: 'subClause' } as const
    assert.equal(write(predicate, { p: "dc:title = 'x' OR 1 = 0" }), "(dc:title = 'x' OR 1 = 0)")
    assert.equal(write(predicate, { p: null }), undefined)
  })
})
