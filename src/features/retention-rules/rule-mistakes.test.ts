import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { builtinModel } from '../../../test/support/model/builtin-model.ts'
import type { Properties, PropertyValue } from '../../model/properties/property.ts'
import { indeterminately } from '../../model/retention.ts'
import { momentAfter } from './retention-period.ts'
import { endFromMetadata, findDefinition, periodIn, plannedEnd } from './rule-definition.ts'
import { requireSoundRule, ruleWrong } from './rule-mistakes.ts'
import { definitionProperties, policies, ruleProperties } from './rule-model.ts'

const known = { has: (action: string) => action.startsWith('Document.') }
const now = '2026-01-31T10:00:00.000Z'

const values: fc.Arbitrary<PropertyValue> = fc.oneof(
  fc.constant(null),
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.array(fc.string()),
  fc.constantFrom('dc:expired', 'dc:title', 'P30D', 'Document.Trash', 'Document.title == "a"', '((((', '@{', 'File'),
)
const names = [...Object.values(ruleProperties), ...Object.values(definitionProperties)]
const anyRule = fc
  .record(
    {
      ...Object.fromEntries(names.map((name) => [name, values])),
      [definitionProperties.policy]: fc.oneof(fc.constantFrom<PropertyValue>(...policies), values),
      [definitionProperties.years]: fc.oneof(fc.integer({ min: 0, max: 20 }), values),
    } as Record<string, fc.Arbitrary<PropertyValue>>,
    { requiredKeys: [] },
  )
  .map((properties) => properties as Properties)

function isSound(properties: Properties): boolean {
  try {
    requireSoundRule(builtinModel, known, properties)
    return true
  } catch (error) {
    assert.ok(ruleWrong.is(error), String(error))
    return false
  }
}

describe('whatever stands in a rule', () => {
  test('it is refused with a sentence, or keeps a document until a moment that is yet to come', () => {
    let sound = 0
    fc.assert(
      fc.property(anyRule, (properties) => {
        if (!isSound(properties)) return
        const definition = findDefinition(properties)
        // A policy that there is not is told by the property itself.
        if (definition === undefined) return
        sound += 1
        const end = plannedEnd(definition, { 'dc:expired': '2025-12-31T00:00:00.000Z' }, now)
        assert.ok(end === null ? definition.start.kind === 'metadata_based' : end > now, String(end))
        if (definition.start.kind === 'event_based') assert.equal(end, indeterminately)
        if (definition.start.kind === 'immediate') assert.equal(end, momentAfter(now, periodIn(properties)))
      }),
      { numRuns: 2_000 },
    )
    assert.ok(sound > 20, `some of them are sound: ${sound}`)
  })
})

describe('the end by a date of the document', () => {
  test('is never one that is over, and the later the later the date is', () => {
    const dates = fc.date({ min: new Date('1900-01-01'), max: new Date('2300-01-01'), noInvalidDate: true })
    const years = fc.integer({ min: 0, max: 200 })
    fc.assert(
      fc.property(dates, dates, years, (one, other, count) => {
        const [first, second] = [one, other].map((date) => date.toISOString()).toSorted() as [string, string]
        const period = { years: count, months: 0, days: 0, millis: 0 }
        const [sooner, later] = [endFromMetadata(first, period, now), endFromMetadata(second, period, now)]
        for (const end of [sooner, later]) assert.ok(end === null || end > now)
        assert.ok(sooner === null || (later !== null && sooner <= later))
      }),
    )
  })
  test('is none where there is no date', () => {
    for (const value of [null, undefined, '', 'soon', 5, true, ['2090-01-01T00:00:00.000Z']])
      assert.equal(endFromMetadata(value, { years: 1, months: 0, days: 0, millis: 0 }, now), null)
  })
})
