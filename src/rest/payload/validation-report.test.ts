import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Violation } from '../../model/properties/violation.ts'
import { writeValidationReport } from './validation-report.ts'

const pattern: Violation = {
  constraint: { kind: 'pattern', pattern: '[a-zA-Z]+' },
  invalidValue: '   ',
  schema: 'validationSample',
  path: [
    { fieldName: 'vs:users', isListItem: false },
    { fieldName: 'item', isListItem: true, index: 0 },
    { fieldName: 'firstname', isListItem: false },
  ],
}
const required: Violation = {
  constraint: { kind: 'notNull' },
  invalidValue: null,
  schema: 'vs',
  path: [{ fieldName: 'vs:name', isListItem: false }],
}

test('a report names each wrong value, its rule and the way to it', () => {
  assert.deepEqual(writeValidationReport([pattern, required], []), {
    'entity-type': 'validation_report',
    has_error: true,
    number: 2,
    violations: [
      {
        message: 'This value must match the format "[a-zA-Z]+".',
        invalid_value: '   ',
        constraint: { 'entity-type': 'validation_constraint', name: 'PatternConstraint', parameters: { Pattern: '[a-zA-Z]+' } },
        path: [
          { field_name: 'vs:users', is_list_item: false },
          { field_name: 'item', is_list_item: true, index: 0 },
          { field_name: 'firstname', is_list_item: false },
        ],
      },
      {
        message: 'Value is required.',
        invalid_value: null,
        constraint: { 'entity-type': 'validation_constraint', name: 'NotNullConstraint', parameters: {} },
        path: [{ field_name: 'vs:name', is_list_item: false }],
      },
    ],
  })
})

test('a report speaks the first language of the request that there is, else English', () => {
  const messageIn = (...locales: string[]) => {
    const { violations } = writeValidationReport([required], locales) as { violations: readonly { message: string }[] }
    return violations[0]?.message
  }
  assert.equal(messageIn('fr'), 'Une valeur est requise.')
  assert.equal(messageIn('de', 'fr-CA', 'en'), 'Une valeur est requise.')
  assert.equal(messageIn('en-US', 'fr'), 'Value is required.')
  assert.equal(messageIn('de'), 'Value is required.')
})
