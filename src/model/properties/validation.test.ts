import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aModel } from '../../../test/support/model/builders.ts'
import { builtinModel } from '../../../test/support/model/builtin-model.ts'
import { defineDocumentType } from '../document-type.ts'
import {
  blob,
  boolean,
  complex,
  date,
  directoryEntry,
  double,
  type FieldDeclaration,
  list,
  long,
  string,
  user,
} from '../field.ts'
import { defineSchema } from '../schema.ts'
import { describeConstraint } from './constraint.ts'
import type { Properties, PropertyValue } from './property.ts'
import { requireNoViolations, validate, validationFailed, violationOfReference } from './validation.ts'
import { invalidValueText, xpathOf } from './violation.ts'

function shapeWith(fields: { readonly [name: string]: FieldDeclaration }) {
  const schemas = [defineSchema('vs', { fields })]
  return aModel({ schemas, documentTypes: [defineDocumentType('Validated', { schemas: ['vs'] })] }).shapeOf({ type: 'Validated' })
}

function violationsOf(
  fields: { readonly [name: string]: FieldDeclaration },
  properties: Properties,
  names?: ReadonlySet<string>,
) {
  return validate(shapeWith(fields), properties, names).violations
}

/** `xpath constraint` for each violation of the one field. */
function found(declaration: FieldDeclaration, value: PropertyValue): string[] {
  return violationsOf({ f: declaration }, { 'vs:f': value }).map(
    (violation) => `${xpathOf(violation)} ${describeConstraint(violation.constraint).name}`,
  )
}

const required = { nillable: false }

describe('a value that is required', () => {
  const rows: [string, FieldDeclaration, PropertyValue, string[]][] = [
    ['scalar, null', string(required), null, ['vs:f NotNullConstraint']],
    ['scalar, empty text', string(required), '', []],
    ['scalar, false', boolean(required), false, []],
    ['scalar with a default, null', string({ ...required, default: 'x' }), null, []],
    ['blob, null', blob(required), null, ['vs:f NotNullConstraint']],
    ['complex, null', complex({ a: string() }, required), null, ['vs:f NotNullConstraint']],
    ['complex, empty', complex({ a: string() }, required), {}, ['vs:f NotNullConstraint']],
    [
      'complex, all members null',
      complex({ a: string(), b: list(string()) }, required),
      { a: null, b: [] },
      ['vs:f NotNullConstraint'],
    ],
    ['complex, one member set', complex({ a: string(), b: long() }, required), { a: null, b: 0 }, []],
    ['list, null', list(string(), required), null, ['vs:f NotNullConstraint']],
    ['list, empty', list(string(), required), [], ['vs:f NotNullConstraint']],
    ['list, one item', list(string(), required), ['a'], []],
    ['item, null', list(string(required)), ['a', null], ['vs:f/1 NotNullConstraint']],
    ['member, null', complex({ a: string(required), b: long() }), { a: null, b: 1 }, ['vs:f/a NotNullConstraint']],
    ['member of an unset complex', complex({ a: string(required), b: long() }), null, []],
  ]
  for (const [sentence, declaration, value, expected] of rows) {
    test(`${sentence}: ${expected[0] ?? 'is fine'}`, () => assert.deepEqual(found(declaration, value), expected))
  }

  test('is missed even when the document does not mention it', () => {
    assert.deepEqual(violationsOf({ f: string(required) }, {}).map(xpathOf), ['vs:f'])
  })
})

test('null keeps to every other constraint', () => {
  const strict = string({ maxLength: 1, pattern: 'a', values: ['a'], constraints: [{ kind: 'length', minimum: 1 }] })
  assert.deepEqual(found(strict, null), [])
})

test('all that a value breaks is reported, not only the first', () => {
  assert.deepEqual(found(string({ maxLength: 1, pattern: '[a-z]+', values: ['a'] }), 'ABC'), [
    'vs:f LengthConstraint',
    'vs:f PatternConstraint',
    'vs:f EnumConstraint',
  ])
})

describe('a value of the wrong type', () => {
  const rows: [FieldDeclaration, PropertyValue[], PropertyValue[], string][] = [
    [string({ maxLength: 9 }), ['', 'a'], [1, true, ['a'], { a: 'b' }], 'string'],
    [long(), [0, -5, 2n ** 62n], [1.5, '1', 2 ** 53, 2n ** 63n, Number.NaN], 'long'],
    [double(), [0, 1.5, 10n ** 17n], ['1', Infinity, true], 'double'],
    [boolean(), [true, false], ['true', 0], 'boolean'],
    [date(), ['2024-01-01T00:00:00.000Z'], ['2024-01-01', 'noon', 5], 'date'],
    [blob(), [{ key: 'k', digest: 'd' }], ['text', { name: 'a.txt' }, ['x']], 'blob'],
    [complex({ a: string() }), [{ a: 'x' }], ['text', ['x'], 5], 'complex'],
    [list(string()), [['a']], ['a', { 0: 'a' }], 'list'],
  ]
  for (const [declaration, right, wrong, name] of rows) {
    test(`breaks the rule ${name} and no other`, () => {
      for (const value of right) assert.deepEqual(found(declaration, value), [], String(value))
      for (const value of wrong) assert.deepEqual(found(declaration, value), [`vs:f ${name}`], String(value))
    })
  }
})

test('a violation inside a list of complex values is reported with its whole path', () => {
  const person = complex({ firstname: string({ pattern: '[a-zA-Z]+' }), lastname: string({ pattern: '[a-zA-Z]+' }) })
  const violations = violationsOf({ users: list(person) }, { 'vs:users': [{ firstname: '   ', lastname: '7' }] })
  assert.deepEqual(violations, [
    {
      constraint: { kind: 'pattern', pattern: '[a-zA-Z]+' },
      invalidValue: '   ',
      schema: 'vs',
      path: [
        { fieldName: 'vs:users', isListItem: false },
        { fieldName: 'item', isListItem: true, index: 0 },
        { fieldName: 'firstname', isListItem: false },
      ],
    },
    {
      constraint: { kind: 'pattern', pattern: '[a-zA-Z]+' },
      invalidValue: '7',
      schema: 'vs',
      path: [
        { fieldName: 'vs:users', isListItem: false },
        { fieldName: 'item', isListItem: true, index: 0 },
        { fieldName: 'lastname', isListItem: false },
      ],
    },
  ])
})

test('only the named properties are looked at, when names are given', () => {
  const fields = { a: string(required), b: string(required), c: string({ maxLength: 1 }) }
  const properties = { 'vs:c': 'long' }
  assert.deepEqual(violationsOf(fields, properties, new Set(['vs:c'])).map(xpathOf), ['vs:c'])
  assert.deepEqual(violationsOf(fields, properties, new Set(['vs:b', 'dc:title'])).map(xpathOf), ['vs:b'])
  assert.deepEqual(violationsOf(fields, properties, new Set()), [])
  assert.deepEqual(violationsOf(fields, properties).map(xpathOf), ['vs:a', 'vs:b', 'vs:c'])
})

describe('a reference', () => {
  const natures = list(directoryEntry('nature'))

  test('is left to the caller, with its place', () => {
    const { violations, references } = validate(shapeWith({ f: natures }), { 'vs:f': ['article', null] })
    assert.deepEqual(violations, [])
    assert.deepEqual(references, [
      {
        resolver: { kind: 'directory', directory: 'nature', validation: true },
        value: 'article',
        schema: 'vs',
        path: [
          { fieldName: 'vs:f', isListItem: false },
          { fieldName: 'item', isListItem: true, index: 0 },
        ],
      },
    ])
  })

  test('that was not found is a violation of its resolver', () => {
    const [reference] = validate(shapeWith({ f: natures }), { 'vs:f': ['zzz'] }).references
    assert.ok(reference)
    const violation = violationOfReference(reference)
    assert.equal(describeConstraint(violation.constraint).name, 'directoryResolver')
    assert.deepEqual([xpathOf(violation), violation.invalidValue], ['vs:f/0', 'zzz'])
  })

  test('whose validation is off is not looked up', () => {
    assert.deepEqual(validate(shapeWith({ f: user() }), { 'vs:f': 'nobody' }), { violations: [], references: [] })
  })
})

test('a built-in document refuses a description of 2001 characters and asks for its vocabulary entries', () => {
  const shape = builtinModel.shapeOf({ type: 'File' })
  const properties = {
    'dc:description': 'x'.repeat(2001),
    'dc:nature': 'article',
    'dc:subjects': ['art/cinema'],
    'dc:coverage': 'europe/France',
    'dc:creator': 'nobody',
  }
  const { violations, references } = validate(shape, properties)
  assert.deepEqual(violations.map(xpathOf), ['dc:description'])
  assert.deepEqual(references.map((reference) => `${xpathOf(reference)}=${reference.value}`).sort(), [
    'dc:coverage=europe/France',
    'dc:nature=article',
    'dc:subjects/0=art/cinema',
  ])
})

describe('failing for violations', () => {
  const short = string({ maxLength: 1 })
  const [one, two] = violationsOf({ a: short, b: short }, { 'vs:a': 'xx', 'vs:b': 'yy' })
  assert.ok(one && two)

  test('says what is wrong and where', () => {
    assert.equal(
      validationFailed({ violations: [one] }).message,
      "Constraint violation thrown on property vs:a: 'This value cannot contain more than 1 character(s).'",
    )
  })
  test('says how much is wrong and where it begins', () => {
    assert.equal(
      validationFailed({ violations: [one, two] }).message,
      "2 constraint violation(s) thrown. First one is thrown on property vs:a: 'This value cannot contain more than 1 character(s).'",
    )
  })
  test('happens only if there are any', () => {
    requireNoViolations([])
    assert.throws(
      () => requireNoViolations([one, two]),
      (error) => validationFailed.is(error) && error.details.violations.length === 2,
    )
  })
})

test('an invalid value is shown as text, or null', () => {
  const text = (invalidValue: PropertyValue) =>
    invalidValueText({ constraint: { kind: 'notNull' }, schema: 'vs', path: [], invalidValue })
  assert.deepEqual([null, 'a', 5, 7n, false, [1, 2n], { a: 'b' }].map(text), [null, 'a', '5', '7', 'false', '[1,2]', '{"a":"b"}'])
})
