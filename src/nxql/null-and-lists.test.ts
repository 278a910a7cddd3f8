import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { found, worldWithSpecimen } from '../../test/support/nxql/world.ts'
import type { Properties } from '../model/properties/property.ts'

const isFound = (where: string, properties: Properties) =>
  found(`SELECT * FROM Specimen WHERE ${where}`, worldWithSpecimen(properties)).length === 1

describe('a value that is null', () => {
  const operators = [
    "= 'x'",
    "<> 'x'",
    "< 'x'",
    "<= 'x'",
    "> 'x'",
    "LIKE '%'",
    "NOT LIKE '%'",
    "NOT ILIKE 'x'",
    "IN ('x')",
    "NOT IN ('x')",
  ]
  for (const operator of [...operators, "BETWEEN 'a' AND 'z'", "NOT BETWEEN 'a' AND 'z'", "STARTSWITH 'x'", '= dc:title']) {
    test(`is not found by ${operator}, nor by its negation`, () => {
      assert.equal(isFound(`dc:source ${operator}`, {}), false)
      assert.equal(isFound(`NOT (dc:source ${operator})`, {}), false)
      assert.equal(isFound(`dc:source ${operator} OR 1 = 1`, {}), true)
    })
  }

  test('is null, and the empty text is not', () => {
    assert.equal(isFound('dc:source IS NULL', {}), true)
    assert.equal(isFound('dc:source IS NULL', { 'dc:source': '' }), false)
    assert.equal(isFound('dc:source IS NOT NULL', { 'dc:source': '' }), true)
  })

  test('is what an index beyond the end of a list is', () => {
    assert.equal(isFound('dc:subjects/2 IS NULL', { 'dc:subjects': ['a', 'b'] }), true)
    assert.equal(isFound("dc:subjects/2 <> 'a'", { 'dc:subjects': ['a', 'b'] }), false)
  })

  test('is the default where there is one', () => {
    assert.equal(isFound("my:defaulted = 'the default'", {}), true)
    assert.equal(isFound("my:defaulted = 'the default'", { 'my:defaulted': 'x' }), false)
  })
})

describe('a list as a whole', () => {
  const lists = fc.option(fc.array(fc.constantFrom('a', 'b', 'c/d'), { maxLength: 3 }), { nil: undefined })
  const holding = (list: readonly string[] | undefined): Properties => (list === undefined ? {} : { 'dc:subjects': list })

  const rows: { readonly [where: string]: (list: readonly string[]) => boolean } = {
    "dc:subjects = 'a'": (list) => list.includes('a'),
    "dc:subjects <> 'a'": (list) => !list.includes('a'),
    "NOT dc:subjects = 'a'": (list) => !list.includes('a'),
    "NOT dc:subjects <> 'a'": (list) => list.includes('a'),
    "dc:subjects IN ('a', 'b')": (list) => list.some((item) => item !== 'c/d'),
    "dc:subjects NOT IN ('a', 'b')": (list) => list.every((item) => item === 'c/d'),
    "dc:subjects LIKE '%d'": (list) => list.includes('c/d'),
    "dc:subjects NOT ILIKE '%D'": (list) => !list.includes('c/d'),
    "dc:subjects STARTSWITH 'c'": (list) => list.includes('c/d'),
    "dc:subjects > 'a'": (list) => list.some((item) => item > 'a'),
    "NOT dc:subjects > 'a'": (list) => !list.some((item) => item > 'a'),
    "dc:subjects BETWEEN 'a' AND 'b'": (list) => list.some((item) => item !== 'c/d'),
    'dc:subjects IS NULL': (list) => list.length === 0,
    'dc:subjects IS NOT NULL': (list) => list.length > 0,
    "dc:subjects/* = 'a'": (list) => list.includes('a'),
    "dc:subjects/* <> 'a'": (list) => list.some((item) => item !== 'a'),
    "NOT dc:subjects/* = 'a'": (list) => list.some((item) => item !== 'a'),
    "dc:subjects/* NOT IN ('a', 'b')": (list) => list.includes('c/d'),
    'dc:subjects/* IS NULL': (list) => list.length === 0,
    "dc:subjects/* = 'a' AND dc:subjects/* = 'b'": (list) => list.includes('a') && list.includes('b'),
    "dc:subjects/*1 = 'a' AND dc:subjects/*1 = 'b'": () => false,
    "dc:subjects/*1 <> 'a' AND dc:subjects/*1 <> 'b'": (list) => list.includes('c/d'),
  }
  for (const [where, isWanted] of Object.entries(rows)) {
    test(where, () => {
      fc.assert(
        fc.property(lists, (list) => assert.equal(isFound(where, holding(list)), isWanted(list ?? []))),
        { numRuns: 40 },
      )
    })
  }
})

describe('lists in items of lists', () => {
  const properties = {
    'p:groups': [
      { name: 'red', members: [{ name: 'ann' }, { name: 'bob' }] },
      { name: 'blue', members: [{ name: 'cid' }] },
      { name: 'none', members: [] },
    ],
  }
  const rows = {
    "p:groups/*/members/*/name = 'cid'": true,
    "p:groups/*/members/*/name = 'dan'": false,
    "p:groups/*1/name = 'red' AND p:groups/*1/members/*/name = 'cid'": false,
    "p:groups/*1/name = 'red' AND p:groups/*1/members/*/name = 'bob'": true,
    "p:groups/*1/name = 'red' AND p:groups/*1/members/*1/name = 'ann' AND p:groups/*1/members/*1/name = 'bob'": false,
    "p:groups/*1/name = 'red' AND p:groups/*1/members/*1/name = 'ann' AND p:groups/*1/members/*2/name = 'bob'": true,
    "p:groups/*1/name = 'none' AND p:groups/*1/members/*/name IS NULL": true,
    "p:groups/*1/name = 'red' AND p:groups/*1/members/*/name IS NULL": false,
    "p:groups/1/members/0/name = 'cid'": true,
  }
  for (const [where, expected] of Object.entries(rows)) {
    test(`${where} is ${expected}`, () => assert.equal(isFound(where, properties), expected))
  }
})

describe('days in lists', () => {
  const properties = { 'my:dates': ['2024-05-01T12:00:00.000Z', '2024-06-01T00:00:00.000Z'] }
  const rows = {
    "DATE(my:dates) = DATE '2024-05-01'": true,
    "DATE(my:dates/*) = DATE '2024-05-01'": true,
    "my:dates = DATE '2024-05-01'": false,
    "my:dates = DATE '2024-06-01'": true,
    "DATE(my:dates) IN (DATE '2023-01-01', DATE '2024-06-01')": true,
    "DATE(my:dates) NOT IN (DATE '2024-06-01')": false,
    "DATE(my:dates/*) NOT IN (DATE '2024-06-01')": true,
    "DATE(my:dates/*) NOT IN (DATE '2024-06-01', DATE '2024-05-01')": false,
    "my:dates < NOW('-PT1S')": false,
    "my:dates <= NOW('PT1S')": true,
  }
  for (const [where, expected] of Object.entries(rows)) {
    test(`${where} is ${expected}`, () => assert.equal(isFound(where, properties), expected))
  }
})
