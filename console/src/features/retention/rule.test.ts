import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmptyPeriod, noPeriod, parsePeriod, ruleIn, spellPeriod } from './rule.ts'

test('a delay is read with its weeks as days, and written without what is none', () => {
  for (const [text, spelled] of [
    ['P1Y6M', 'P1Y6M'],
    ['P2W1D', 'P15D'],
    [' P30D ', 'P30D'],
    ['P0D', ''],
    ['soon', ''],
  ] as const)
    assert.equal(spellPeriod(parsePeriod(text)), spelled, text)
})

test('what an event has to bring along is no delay, and a delay brings nothing along', () => {
  const properties = { 'retention_def:startingPointValue': 'P3D' }
  const after = ruleIn({ ...properties, 'retention_def:startingPointPolicy': 'after_delay' })
  assert.deepEqual([after.delay.days, after.eventValue], [3, ''])
  const event = ruleIn({ ...properties, 'retention_def:startingPointPolicy': 'event_based' })
  assert.deepEqual([event.delay, event.eventValue], [noPeriod, 'P3D'])
})

test('a rule that says nothing has no beginning, no length and nothing to do', () => {
  const { policy, period, beginActions, endActions } = ruleIn({ 'retention_def:beginActions': null })
  assert.deepEqual([policy, isEmptyPeriod(period), beginActions, endActions], [undefined, true, [], []])
})
