import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BoundReading, SentBound } from './condition.ts'
import { momentOfBound } from './moments.ts'

const now = '2024-05-31T10:20:30.000Z'

describe('a bound that is a date', () => {
  const rows: readonly [SentBound['operator'], SentBound['value'], BoundReading, string | undefined][] = [
    ['>=', '2024-03-01', {}, '2024-03-01T00:00:00.000Z'],
    ['<', '2024-03-01', {}, '2024-03-01T00:00:00.000Z'],
    ['<=', '2024-03-01', {}, '2024-03-01T23:59:59.999Z'],
    ['>', '2024-03-01', {}, '2024-03-01T23:59:59.999Z'],
    ['<=', '2024-03-01T10:00:00Z', {}, '2024-03-01T10:00:00.000Z'],
    ['<=', '2024-03-01T10:00:00+02:00', { zone: '+05:00' }, '2024-03-01T08:00:00.000Z'],
    ['>=', '2024-03-01T10:00:00', { zone: '+02:00' }, '2024-03-01T08:00:00.000Z'],
    ['<=', '2024-03-01', { zone: '+02:00' }, '2024-03-01T21:59:59.999Z'],
    ['<=', '2024-03-31', { zone: 'Europe/Paris' }, '2024-03-31T21:59:59.999Z'],
    ['>=', 'now-1d/d', {}, '2024-05-30T00:00:00.000Z'],
    ['<=', 'now/M', {}, '2024-05-31T23:59:59.999Z'],
    ['<=', 'now', {}, now],
    ['>=', '01/03/2024', { format: 'dd/MM/yyyy' }, '2024-03-01T00:00:00.000Z'],
    ['<=', '01/03/2024', { format: 'dd/MM/yyyy', zone: '-01:00' }, '2024-03-02T00:59:59.999Z'],
    ['<=', '01/03/2024 10', { format: 'dd/MM/yyyy HH' }, '2024-03-01T10:00:00.000Z'],
    ['>=', 1_709_251_200_000, {}, '2024-03-01T00:00:00.000Z'],
    ['>=', '1709251200000', {}, '2024-03-01T00:00:00.000Z'],
    ['>=', '2024', {}, '2024-01-01T00:00:00.000Z'],
    ['<=', '9999-12-31', { zone: '-01:00' }, '9999-12-31T23:59:59.999Z'],
    ['>=', 1e300, {}, '9999-12-31T23:59:59.999Z'],
    ['>=', '0000-01-01', { zone: '+01:00' }, '0000-01-01T00:00:00.000Z'],
    ['>=', 1.5, {}, '1970-01-01T00:00:00.001Z'],
    ['>=', 'soon', {}, undefined],
    ['>=', true, {}, undefined],
  ]
  for (const [operator, value, reading, expected] of rows) {
    test(`${operator} ${value} ${JSON.stringify(reading)} is ${expected ?? 'none'}`, () => {
      const moment = momentOfBound({ operator, value }, reading, { now })
      assert.equal(moment === undefined ? undefined : new Date(moment).toISOString(), expected)
    })
  }
  test('in a zone or a format that is none is refused', () => {
    for (const reading of [{ zone: 'Moon/Sea' }, { format: 'nn' }]) {
      assert.throws(() => momentOfBound({ operator: '>=', value: 'x' }, reading, { now }), { name: 'searchNotUnderstood' })
    }
  })
})
