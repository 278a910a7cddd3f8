import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  binary,
  blob,
  boolean,
  clob,
  complex,
  date,
  directoryEntry,
  double,
  type FieldDeclaration,
  list,
  long,
  named,
  string,
  user,
} from '../../model/field.ts'
import { type FieldStyle, writeFields } from './field-definition.ts'

const written = (field: FieldDeclaration, style: FieldStyle = 'plain') => writeFields(named({ f: field }), style)['f']

const rule = (name: string, parameters: { [name: string]: string } = {}) => ({
  'entity-type': 'validation_constraint',
  name,
  parameters,
})

describe('a field is shown', () => {
  const rows: readonly [string, FieldDeclaration, unknown][] = [
    ['a text by its type', string({ maxLength: 5 }), 'string'],
    ['a long text as a text', clob(), 'string'],
    ['a reference as a text', directoryEntry('nature'), 'string'],
    ['a whole number by its type', long(), 'long'],
    ['a number by its type', double(), 'double'],
    ['a truth by its type', boolean(), 'boolean'],
    ['a moment by its type', date(), 'date'],
    ['bytes by their type', binary(), 'binary'],
    ['a file as blob', blob(), 'blob'],
    ['a list of texts with brackets', list(string()), 'string[]'],
    ['a list of moments with brackets', list(date()), 'date[]'],
    ['a list of files with brackets', list(blob()), 'blob[]'],
    ['a list of lists with two pairs', list(list(long())), 'long[][]'],
    [
      'a complex one with its fields',
      complex({ a: string(), b: blob() }),
      { type: 'complex', fields: { a: 'string', b: 'blob' } },
    ],
    [
      'a list of complex ones with theirs',
      list(complex({ n: list(complex({ x: double() })) })),
      { type: 'complex[]', fields: { n: { type: 'complex[]', fields: { x: 'double' } } } },
    ],
  ]
  for (const [what, field, expected] of rows) test(what, () => assert.deepEqual(written(field), expected))
})

describe('a field with its rules is shown', () => {
  const rows: readonly [string, FieldDeclaration, unknown][] = [
    ['a text with that of its type', string(), { type: 'string', constraints: [rule('string')] }],
    [
      'a limited text with the limit as text',
      string({ maxLength: 2000 }),
      { type: 'string', constraints: [rule('string'), rule('LengthConstraint', { Maximum: '2000' })] },
    ],
    [
      'a user with where it is looked up',
      user(),
      {
        type: 'string',
        constraints: [
          rule('string'),
          rule('userManagerResolver', { includeUsers: 'true', includeGroups: 'false', validation: 'false' }),
        ],
      },
    ],
    [
      'a number that must be there',
      long({ nillable: false }),
      { type: 'long', constraints: [rule('long'), rule('NotNullConstraint')] },
    ],
    [
      'a list with its own and those of its items',
      list(string({ values: ['a', 'b'] }), { nillable: false }),
      {
        type: 'string[]',
        constraints: [rule('NotNullConstraint')],
        itemConstraints: [rule('string'), rule('EnumConstraint', { Values: '[a, b]' })],
      },
    ],
    ['a file as it is', blob({ nillable: false }), 'blob'],
    ['files as they are', list(blob()), 'blob[]'],
    [
      'the fields inside a complex one',
      list(complex({ at: date() })),
      { type: 'complex[]', fields: { at: { type: 'date', constraints: [rule('date')] } } },
    ],
  ]
  for (const [what, field, expected] of rows) test(what, () => assert.deepEqual(written(field, 'constrained'), expected))
})

test('fields keep their order and their names, whatever these are', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1 }).filter((name) => !/^\d+$/.test(name)))
  fc.assert(
    fc.property(names, (all) => {
      const fields = all.map((name) => ({ name, ...string() }))
      assert.deepEqual(Object.keys(writeFields(fields, 'plain')), all)
    }),
  )
})
