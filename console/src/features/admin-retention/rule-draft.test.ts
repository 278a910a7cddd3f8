import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesIn, draftOf, emptyDraft, mistakesIn, propertiesOf } from './rule-draft.ts'

test('a rule that is stored comes back as it was typed', () => {
  const draft = {
    ...emptyDraft,
    title: 'Contracts',
    isAutomatic: true,
    expression: 'Document["dc:nature"] == "contract"',
    types: ['File'],
    policy: 'event_based',
    event: 'Retention.ContractEnd',
    eventValue: 'contract-7',
    period: { years: 10, months: 0, days: 0, millis: 0 },
    endActions: ['Document.Trash'],
  } as const
  assert.deepEqual(draftOf({ properties: propertiesOf(draft) }), draft)
})

test('what belongs to another starting point is not kept', () => {
  const waiting = { ...emptyDraft, policy: 'event_based', event: 'documentMoved', eventValue: 'x', expression: 'y' } as const
  const stored = propertiesOf({ ...waiting, policy: 'immediate' })
  for (const xpath of ['startingPointEvent', 'startingPointValue', 'expression'])
    assert.equal(stored[`retention_def:${xpath}`], null, xpath)
  const delayed = propertiesOf({ ...waiting, policy: 'after_delay', delay: { years: 0, months: 0, days: 30, millis: 0 } })
  assert.equal(delayed['retention_def:startingPointValue'], 'P30D')
})

test('only what was changed is written', () => {
  const before = { ...emptyDraft, title: 'Contracts' }
  assert.deepEqual(changesIn(before, { ...before, types: ['File'] }), { 'retention_rule:docTypes': ['File'] })
  assert.deepEqual(changesIn(before, { ...before, title: 'Contracts ' }), {})
})

test('a refusal is shown at the field that it is about', () => {
  const draft = { ...emptyDraft, beginActions: ['Some.Begin'], endActions: ['Some.End'] }
  const refusal = (status: number, message: string, mistakes?: object) =>
    Object.assign(new Error(message), { name: 'Problem', status, isOffline: false, mistakes })
  const fieldOf = (reason: string, status = 400) =>
    Object.keys(mistakesIn(refusal(status, `The retention rule cannot work: ${reason}`), draft))
  for (const [reason, field] of [
    ['it has no duration. One of the four must be more than 0.', 'period'],
    ['its duration is counted in whole numbers from 0 to 1000 years.', 'period'],
    ['a rule that an event starts needs retention_def:startingPointEvent.', 'event'],
    ['a rule that a date of the document starts needs retention_def:metadataXPath.', 'metadata'],
    ['a rule that starts after a delay needs the delay in retention_def:startingPointValue, such as P30D.', 'delay'],
    ['there is no document type "Fiel".', 'types'],
    ['there is no operation or chain "Some.Begin".', 'beginActions'],
    ['there is no operation or chain "Some.End".', 'endActions'],
    ['retention_def:expression cannot be read. What?', 'expression'],
    ['retention_def:startingPointExpression cannot be read. What?', 'eventExpression'],
  ] as const)
    assert.deepEqual(fieldOf(reason), [field], reason)
  assert.deepEqual(fieldOf('something new'), [])
  assert.deepEqual(fieldOf('it has no duration.', 500), [])
  const violated = refusal(422, 'Too long.', { 'retention_def:startingPointEvent': 'Too long.' })
  assert.deepEqual(mistakesIn(violated, draft), { event: 'Too long.' })
})
