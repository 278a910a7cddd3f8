import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Rule } from './constraint.ts'
import type { PropertyValue } from './property.ts'
import type { Violation } from './violation.ts'
import { violationMessage } from './violation-message.ts'

const aViolation = (constraint: Rule, invalidValue: PropertyValue = 'value'): Violation => ({
  constraint,
  invalidValue,
  schema: 'dublincore',
  path: [{ fieldName: 'dc:title', isListItem: false }],
})

describe('the message', () => {
  const rows: [Rule, string, string][] = [
    [{ kind: 'notNull' }, 'Value is required.', 'Une valeur est requise.'],
    [
      { kind: 'pattern', pattern: '[a-z]{2}' },
      'This value must match the format "[a-z]{2}".',
      'Cette valeur doit respecter le format « [a-z]{2} ».',
    ],
    [
      { kind: 'enum', values: ['a', 'b'] },
      'The property must have one of the following values: a, b.',
      'La propriété doit avoir une des valeurs suivantes : a, b.',
    ],
    [
      { kind: 'length', minimum: 2, maximum: 5 },
      'This value must contain between 2 and 5 characters.',
      'Cette valeur doit contenir entre 2 et 5 caractères.',
    ],
    [
      { kind: 'length', minimum: 2 },
      'This value must contain at least 2 character(s).',
      'Cette valeur doit contenir au moins 2 caractère(s).',
    ],
    [
      { kind: 'length', maximum: 5 },
      'This value cannot contain more than 5 character(s).',
      'Cette valeur ne peut pas contenir plus de 5 caractère(s).',
    ],
    [
      { kind: 'numericInterval', minimum: 0, maximum: 10, maximumInclusive: false },
      'This value must be greater than or equal to 0 and less than 10.',
      'Cette valeur doit être supérieure ou égale à 0 et inférieure à 10.',
    ],
    [
      { kind: 'numericInterval', minimum: 0, minimumInclusive: false },
      'This value must be greater than 0.',
      'Cette valeur doit être supérieure à 0.',
    ],
    [
      { kind: 'dateInterval', maximum: '2024-12-31', maximumInclusive: false },
      'The date must be earlier than 2024-12-31.',
      'La date doit être antérieure au 2024-12-31.',
    ],
    [{ kind: 'type', type: 'long' }, 'The value "value" must be an integer.', 'La valeur « value » doit être un entier.'],
    [
      { kind: 'user', type: 'user', validation: true },
      '"value" is not a valid username.',
      '« value » n’est pas un nom d’utilisateur valide.',
    ],
    [
      { kind: 'directory', directory: 'nature', validation: true },
      '"value" is not a valid entry of the directory "nature".',
      '« value » n’est pas une entrée valide de la table « nature ».',
    ],
    [
      { kind: 'document', store: 'id', validation: true },
      '"value" is not a valid document.',
      '« value » n’est pas un document valide.',
    ],
  ]
  for (const [rule, english, french] of rows) {
    test(`of ${JSON.stringify(rule)}`, () => {
      assert.equal(violationMessage(aViolation(rule), 'en'), english)
      assert.equal(violationMessage(aViolation(rule), 'fr'), french)
    })
  }

  test('is French for every French locale and English for one it does not know', () => {
    const required = aViolation({ kind: 'notNull' }, null)
    for (const locale of ['fr', 'fr-CA', 'FR_fr']) assert.match(violationMessage(required, locale), /requise/, locale)
    for (const locale of ['en', 'de', 'frr', '']) assert.match(violationMessage(required, locale), /required/, locale)
  })

  test('shows fifteen characters of a long value and never half of one', () => {
    const ofType = (value: string) => violationMessage(aViolation({ kind: 'type', type: 'date' }, value), 'en')
    assert.equal(ofType('123456789012345'), 'The value "123456789012345" must be a date.')
    assert.equal(ofType('1234567890123456'), 'The value "123456789012345..." must be a date.')
    assert.equal(ofType('😀'.repeat(20)), `The value "${'😀'.repeat(15)}..." must be a date.`)
  })

  test('does not read placeholders or replacement patterns out of the value', () => {
    assert.equal(violationMessage(aViolation({ kind: 'type', type: 'date' }, '{0}$&'), 'en'), 'The value "{0}$&" must be a date.')
  })
})
