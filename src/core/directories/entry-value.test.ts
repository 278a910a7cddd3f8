import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Json } from '../../base/json.ts'
import { boolean, complex, date, double, type FieldDeclaration, list, long, string } from '../../model/field.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import { invalidEntryValue, parseEntryValue } from './entry-value.ts'

const read = (declaration: FieldDeclaration, json: Json) => parseEntryValue('things', { ...declaration, name: 'field' }, json)

const declarations = [
  string(),
  long(),
  double(),
  boolean(),
  date(),
  list(string()),
  list(long()),
  complex({ a: long(), b: date() }),
]

function hasTypeOf({ type }: Pick<FieldDeclaration, 'type'>, value: PropertyValue): boolean {
  if (type.kind === 'list') return Array.isArray(value) && value.every((item) => hasTypeOf(type.item, item))
  if (value === null) return true
  switch (type.kind) {
    case 'string':
      return typeof value === 'string'
    case 'long':
      return Number.isSafeInteger(value) || typeof value === 'bigint'
    case 'double':
      return typeof value === 'number' && Number.isFinite(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return typeof value === 'string' && new Date(value).toISOString() === value
    case 'complex':
      return type.fields.every((field) => hasTypeOf(field, (value as { [name: string]: PropertyValue })[field.name] ?? null))
    default:
      return false
  }
}

describe('a value of an entry', () => {
  test('has the type of its field, or is refused by name, whatever is sent', () => {
    fc.assert(
      fc.property(fc.constantFrom(...declarations), fc.jsonValue(), (declaration, json) => {
        try {
          return hasTypeOf(declaration, read(declaration, json as Json))
        } catch (error) {
          return invalidEntryValue.is(error) && error.message.startsWith('The property field of the directory things takes ')
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('that was read stays what it is when it is read again, as JSON or as text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...declarations.slice(0, 5)), fc.oneof(fc.jsonValue(), dateText), (declaration, json) => {
        const value = attempt(declaration, json as Json)
        // Neither JSON nor text knows a zero below zero.
        if (value === undefined || value === null || Object.is(value, -0)) return
        assert.deepEqual(read(declaration, value as Json), value)
        assert.deepEqual(read(declaration, String(value)), value)
      }),
      { numRuns: 2_000 },
    )
  })

  test('of whole numbers is the number that its text means', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (number) => assert.equal(read(long(), String(number)), number)))
    assert.equal(read(long(), '9223372036854775807'), 9223372036854775807n)
    assert.throws(() => read(long(), '9223372036854775808'), invalidEntryValue.is)
  })

  test('of dates is the same with a blank for the T', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (moment) => {
        const text = moment.toISOString()
        assert.equal(read(date(), text.replace('T', ' ')), text)
        assert.equal(read(date(), text.replace('T', ' ').replace(/\.\d+Z$/, '')), text.replace(/\.\d+Z$/, '.000Z'))
      }),
    )
  })

  test('of text may be an entry, which stands for its id', () => {
    assert.equal(read(string(), { 'entity-type': 'directoryEntry', directoryName: 'x', id: 'europe', properties: {} }), 'europe')
    assert.equal(read(string(), { id: 12 }), '12')
    assert.throws(() => read(string(), { id: null }), invalidEntryValue.is)
    assert.throws(() => read(string(), {}), invalidEntryValue.is)
  })

  test('is shown in a refusal as far as there is room', () => {
    assert.throws(
      () => read(long(), 'x'.repeat(1_000)),
      (error: Error) => error.message.length < 200,
    )
    assert.throws(() => read(long(), '\ud800'), /not "\\?.*"\.$/)
  })
})

const dateText = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((day) => day.toISOString())

function attempt(declaration: FieldDeclaration, json: Json): PropertyValue | undefined {
  try {
    return read(declaration, json)
  } catch (error) {
    if (invalidEntryValue.is(error)) return undefined
    throw error
  }
}
