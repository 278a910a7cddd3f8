import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Json, surveyJson, tooManyMembers, tooManyValues } from './json.ts'

const generous = { maxValues: 1_000, maxMembers: 1_000, maxDepth: 50 }
const survey = (text: string, bounds = generous) => surveyJson(bounds, Buffer.from(text))

function countValues(json: Json): number {
  if (typeof json !== 'object' || json === null) return 1
  return Object.values(json).reduce<number>((sum, value) => sum + countValues(value), 1)
}

describe('looking over JSON', () => {
  test('counts no fewer values than there are, and none twice but an empty list or object', () => {
    const texts = fc.json({ maxDepth: 4, stringUnit: 'binary' })
    fc.assert(
      fc.property(texts, (text) => {
        const values = countValues(JSON.parse(text))
        if (values > 1) assert.throws(() => survey(text, { ...generous, maxValues: values - 1 }), tooManyValues.is)
        const empty = text.match(/\[\]|\{\}/g)?.length ?? 0
        assert.doesNotThrow(() => survey(text, { ...generous, maxValues: values + empty }))
      }),
    )
  })
  for (const length of [0, 1, 63, 64, 65, 1_000]) {
    test(`passes over strings of ${length} characters, whatever is in them`, () => {
      const brackets = '[{,'.repeat(length).slice(0, length)
      for (const text of [brackets, `${brackets}\\"${brackets}`, `${brackets}\\\\`, `${'\\"'.repeat(length)}`]) {
        assert.doesNotThrow(() => survey(`["${text}",1]`, { ...generous, maxValues: 3, maxDepth: 1 }), text)
        assert.throws(() => survey(`["${text}",1,1]`, { ...generous, maxValues: 3 }), tooManyValues.is)
      }
    })
  }
  test('counts the names of each object for itself', () => {
    const object = `{"a":1,"b":[1,2,3,4,5,6],"c":{"d":1,"e":2,"f":3}}`
    assert.doesNotThrow(() => survey(`[${object},${object}]`, { ...generous, maxMembers: 3 }))
    assert.throws(() => survey(`[${object},${object}]`, { ...generous, maxMembers: 2 }), tooManyMembers.is)
  })
  test('notices a number with sixteen digits, but not in a string', () => {
    assert.equal(survey('[1234567890123456]').hasLongNumber, true)
    assert.equal(survey('["1234567890123456",123456789012345,1]').hasLongNumber, false)
  })
})
