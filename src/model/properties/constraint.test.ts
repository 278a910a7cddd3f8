import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Constraint, date, directoryEntry, type FieldDeclaration, list, string, user } from '../field.ts'
import { describeConstraint, type Rule, rulesOf } from './constraint.ts'
import { satisfies } from './validation.ts'

describe('clients know', () => {
  const rows: [Rule, string, { [name: string]: string }][] = [
    [{ kind: 'notNull' }, 'NotNullConstraint', {}],
    [{ kind: 'type', type: 'long' }, 'long', {}],
    [{ kind: 'pattern', pattern: '[a-z]+' }, 'PatternConstraint', { Pattern: '[a-z]+' }],
    [{ kind: 'length', maximum: 2000 }, 'LengthConstraint', { Maximum: '2000' }],
    [{ kind: 'length', minimum: 2, maximum: 5 }, 'LengthConstraint', { Minimum: '2', Maximum: '5' }],
    [{ kind: 'enum', values: ['a', 'b'] }, 'EnumConstraint', { Values: '[a, b]' }],
    [
      { kind: 'numericInterval', minimum: 0, maximum: 10, maximumInclusive: false },
      'NumericIntervalConstraint',
      { Minimum: '0', MinimumInclusive: 'true', Maximum: '10', MaximumInclusive: 'false' },
    ],
    [
      { kind: 'dateInterval', minimum: '2024-01-01', minimumInclusive: false },
      'DateIntervalConstraint',
      { Minimum: '2024-01-01', MinimumInclusive: 'false' },
    ],
    [
      { kind: 'user', type: 'user', validation: false },
      'userManagerResolver',
      { includeUsers: 'true', includeGroups: 'false', validation: 'false' },
    ],
    [
      { kind: 'user', type: 'group', validation: true },
      'userManagerResolver',
      { includeUsers: 'false', includeGroups: 'true', validation: 'true' },
    ],
    [
      { kind: 'user', type: 'any', validation: true },
      'userManagerResolver',
      { includeUsers: 'true', includeGroups: 'true', validation: 'true' },
    ],
    [
      { kind: 'directory', directory: 'nature', validation: true },
      'directoryResolver',
      { directory: 'nature', validation: 'true' },
    ],
    [
      { kind: 'directory', directory: 'l10nsubjects', parentField: 'parent', separator: '/', validation: true },
      'directoryResolver',
      { directory: 'l10nsubjects', parentField: 'parent', separator: '/', validation: 'true' },
    ],
    [{ kind: 'document', store: 'pathOnly', validation: false }, 'documentResolver', { store: 'pathOnly', validation: 'false' }],
  ]
  for (const [rule, name, parameters] of rows) {
    test(`${JSON.stringify(rule)} as ${name}`, () => assert.deepEqual(describeConstraint(rule), { name, parameters }))
  }
})

describe('a field has as rules', () => {
  const names = (declaration: FieldDeclaration) =>
    rulesOf({ name: 'f', ...declaration }).map((rule) => describeConstraint(rule).name)
  test('its type alone', () => assert.deepEqual(names(date()), ['date']))
  test('its type and resolver, as a creator', () => assert.deepEqual(names(user()), ['string', 'userManagerResolver']))
  test('its type and entry, as a nature', () =>
    assert.deepEqual(names(directoryEntry('nature')), ['string', 'directoryResolver']))
  test('that it cannot be null, and its limits', () => {
    const declaration = string({ nillable: false, maxLength: 5, pattern: 'a*', values: ['a'] })
    assert.deepEqual(names(declaration), [
      'string',
      'NotNullConstraint',
      'LengthConstraint',
      'PatternConstraint',
      'EnumConstraint',
    ])
  })
  test('nothing of its items and nothing for being a list', () => assert.deepEqual(names(list(string({ maxLength: 5 }))), []))
  test('that a list cannot be empty', () => assert.deepEqual(names(list(string(), { nillable: false })), ['NotNullConstraint']))
})

describe('a value keeps to a constraint', () => {
  const rows: [Constraint, (string | number | bigint)[], (string | number | bigint)[]][] = [
    [{ kind: 'length', minimum: 2, maximum: 3 }, ['ab', 'abc', 'é漢'], ['', 'a', 'abcd']],
    [{ kind: 'length', maximum: 1 }, ['', 'a'], ['ab']],
    [{ kind: 'pattern', pattern: '[a-z]+|X' }, ['abc', 'X'], ['', 'abc1', '1abc', 'aX', 'abc\n']],
    [{ kind: 'pattern', pattern: '[^@]+@[^\\.]+\\..+' }, ['a@b.c', 'a@b.c.d'], ['a', 'a@b', '@b.c', 'a@b.']],
    [{ kind: 'pattern', pattern: '.' }, ['😀', 'a', '.'], ['ab']],
    [{ kind: 'enum', values: ['a', '1'] }, ['a', 1], ['A', 2, '']],
    [{ kind: 'numericInterval', minimum: 0, maximum: 10 }, [0, 5.5, 10], [-0.1, 10.1, 2n ** 60n]],
    [{ kind: 'numericInterval', minimum: 0, minimumInclusive: false, maximum: 10, maximumInclusive: false }, [0.1, 9.9], [0, 10]],
    [{ kind: 'numericInterval', maximum: 2 ** 60 }, [2n ** 60n, -(2n ** 62n)], [2n ** 60n + 1n]],
    [
      { kind: 'dateInterval', minimum: '2024-01-01', maximum: '2024-12-31' },
      ['2024-01-01T00:00:00.000Z', '2024-12-31T23:59:59.999Z'],
      ['2023-12-31T23:59:59.999Z', '2025-01-01T00:00:00.000Z'],
    ],
    [
      { kind: 'dateInterval', minimum: '2024-01-01', minimumInclusive: false, maximum: '2024-12-31', maximumInclusive: false },
      ['2024-01-02T00:00:00.000Z', '2024-12-30T23:59:59.999Z'],
      ['2024-01-01T10:00:00.000Z', '2024-12-31T00:00:00.000Z'],
    ],
  ]
  for (const [constraint, right, wrong] of rows) {
    const text = JSON.stringify(constraint)
    for (const value of right) test(`${value} keeps to ${text}`, () => assert.equal(satisfies(constraint, value), true))
    for (const value of wrong)
      test(`${JSON.stringify(String(value))} breaks ${text}`, () => assert.equal(satisfies(constraint, value), false))
  }
})
