import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findNearestName } from './nearest-name.ts'

const names = ['host', 'port', 'database-url', 'log-level']

describe('a mistyped name', () => {
  for (const [mistyped, meant] of [
    ['por', 'port'],
    ['prot', 'port'],
    ['porrt', 'port'],
    ['databse-url', 'database-url'],
    ['loglevel', 'log-level'],
  ] as const) {
    test(`${mistyped} is taken for ${meant}`, () => assert.equal(findNearestName(mistyped, names), meant))
  }

  for (const strange of ['verbose', 'x', 'data', '']) {
    test(`"${strange}" is taken for none`, () => assert.equal(findNearestName(strange, names), undefined))
  }

  test('a name is nearest to itself', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (name, others) => findNearestName(name, [...others, name]) === name),
    )
  })
})
