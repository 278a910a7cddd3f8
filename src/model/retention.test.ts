import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { indeterminately, invalidRetention, notARecord, planRetention, retentionShortened } from './retention.ts'

const now = '2031-05-05T00:00:00.000Z'
const aRecord = (retainUntil: string | null = null) => ({ id: 'r', isRecord: true, retainUntil, properties: {} })

describe('asking to retain a record', () => {
  const rows: readonly [current: string | null, asked: string, kind: string, retainUntil?: string][] = [
    [null, '2032-01-01T00:00:00.000Z', 'set', '2032-01-01T00:00:00.000Z'],
    [null, '2032-01-01', 'set', '2032-01-01T00:00:00.000Z'],
    [null, '2032-01-01T01:00:00+01:00', 'set', '2032-01-01T00:00:00.000Z'],
    [null, '9999-01-01T00:00Z', 'set', indeterminately],
    [indeterminately, '2032-01-01', 'set', '2032-01-01T00:00:00.000Z'],
    [indeterminately, '9999-01-01', 'keep'],
    ['2032-01-01T00:00:00.000Z', '2032-01-01', 'keep'],
    ['2032-01-01T00:00:00.000Z', '2032-01-01T00:00:00.001Z', 'extend', '2032-01-01T00:00:00.001Z'],
    ['2030-01-01T00:00:00.000Z', '2032-01-01', 'extend', '2032-01-01T00:00:00.000Z'],
  ]
  for (const [current, asked, kind, retainUntil] of rows) {
    test(`until ${asked} where it is retained until ${current} comes to ${kind}`, () => {
      const plan = planRetention(aRecord(current), asked, now)
      assert.deepEqual(plan, retainUntil === undefined ? { kind } : { kind, retainUntil })
    })
  }

  test('indefinitely keeps in mind until when it was retained, and no earlier date replaces that', () => {
    const until = '2032-01-01T00:00:00.000Z'
    const plan = { kind: 'extend', retainUntil: indeterminately, atLeastUntil: until }
    assert.deepEqual(planRetention(aRecord(until), '9999-01-01', now), plan)
    const record = { ...aRecord(indeterminately), properties: { 'retention:atLeastUntil': until } }
    assert.throws(() => planRetention(record, '2031-12-31', now), retentionShortened.is)
    assert.deepEqual(planRetention(record, until, now), { kind: 'set', retainUntil: until })
  })
  test('until an earlier moment is refused', () => {
    assert.throws(() => planRetention(aRecord('2032-01-01T00:00:00.000Z'), '2031-12-31', now), retentionShortened.is)
  })
  for (const sent of ['2031-05-04', now, '', 'soon', '2032-02-30', '99999-01-01', '\0', '\ud800']) {
    test(`until ${JSON.stringify(sent)}, which is no date to come, is refused`, () => {
      assert.throws(() => planRetention(aRecord(), sent, now), invalidRetention.is)
    })
  }
  test('that is none is refused', () => {
    assert.throws(() => planRetention({ ...aRecord(), isRecord: false }, '2032-01-01', now), notARecord.is)
  })

  test('never shortens what is known, whatever is asked', () => {
    const moment = fc.date({ min: new Date('1990-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(moment, moment, (current, asked) => {
        const before = current.toISOString()
        try {
          const plan = planRetention(aRecord(before), asked.toISOString(), now)
          assert.ok(plan.kind === 'keep' || plan.retainUntil > before)
        } catch (error) {
          assert.ok(retentionShortened.is(error) || invalidRetention.is(error))
          assert.ok(asked.toISOString() < before || asked.toISOString() <= now)
        }
      }),
    )
  })
  test('answers any text with a plan or with what is wrong with it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (sent) => {
        try {
          const plan = planRetention(aRecord(), sent, now)
          assert.ok(plan.kind === 'set' && plan.retainUntil > now)
        } catch (error) {
          assert.ok(invalidRetention.is(error))
        }
      }),
    )
  })
})
