import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { nameAfterCollision } from './path-segment.ts'
import { isTrashedName, nameBeforeCollision, trashedName, untrashedName } from './trashed-name.ts'

const anyName = fc.string({ unit: 'grapheme' })
const anyMoment = fc.integer({ min: 0, max: 8_640_000_000_000_000 })
/** After September 2001, when moments began to have 13 digits. */
const recentMoment = fc.integer({ min: 1_000_000_000_000, max: 8_640_000_000_000_000 })
const moment = 1_709_631_234_567

describe('the name in the trash', () => {
  test('is the name with the time in a mark behind it', () => {
    assert.equal(trashedName('report.pdf', moment), 'report.pdf._1709631234567_.trashed')
    assert.equal(trashedName('old', 86_400_000), 'old._0000086400000_.trashed')
  })
  test('is recognised, and gives back any name', () => {
    fc.assert(
      fc.property(anyName, anyMoment, (name, millis) => {
        const marked = trashedName(name, millis)
        assert.ok(isTrashedName(marked))
        assert.equal(untrashedName(marked), name)
      }),
    )
  })
  test('of a name that looks marked gives back that name and no shorter one', () => {
    const marked = trashedName('twice', moment)
    assert.equal(untrashedName(trashedName(marked, moment + 1)), marked)
  })
  test('of a name of several lines gives back all of them', () => {
    assert.equal(untrashedName(trashedName('one\ntwo\u2028three', moment)), 'one\ntwo\u2028three')
  })

  const unmarked = [
    'report',
    '',
    'report.trashed',
    'report._170963123456_.trashed',
    'report._1709631234567_.trashed.1709631234567',
    'report._1709631234567_.TRASHED',
    'report_1709631234567_.trashed',
    'report._17096312345６7_.trashed',
  ]
  for (const name of unmarked) {
    test(`is not ${JSON.stringify(name)}, which stays as it is`, () => {
      assert.equal(isTrashedName(name), false)
      assert.equal(untrashedName(name), name)
    })
  }
})

describe('a name made for a collision', () => {
  test('tells the name that was asked for', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200 }), recentMoment, (name, millis) => {
        assert.equal(nameBeforeCollision(nameAfterCollision(name, millis)), name)
      }),
    )
  })
  for (const name of ['report', 'report.2024', 'report.170963123456', '.1709631234567', 'report.1709631234567.pdf']) {
    test(`is not ${name}`, () => assert.equal(nameBeforeCollision(name), undefined))
  }
})
