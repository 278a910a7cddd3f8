import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type SuggestionLabels, suggestedGroup, suggestedUser } from './suggestion-entry.ts'

const plain: SuggestionLabels = {
  hideFirstLabel: false,
  hideSecondLabel: false,
  hideThirdLabel: false,
  displayEmailInSuggestion: false,
  hideIcon: false,
}

const jane = {
  id: 'jdoe',
  values: { username: 'jdoe', firstName: 'Jane', lastName: 'Doe', email: 'jd@acme.test', company: 'ACME' },
}

const labelOf = (labels: Partial<SuggestionLabels>, user: { id: string; values: object } = jane) =>
  (suggestedUser(user as typeof jane, { ...plain, ...labels }) as { displayLabel: string }).displayLabel

describe('a suggested user', () => {
  test('has its fields, what it is and what it is called', () => {
    assert.deepEqual(suggestedUser(jane, plain), {
      ...jane.values,
      id: 'jdoe',
      'entity-type': 'user',
      type: 'USER_TYPE',
      prefixed_id: 'user:jdoe',
      displayLabel: 'Jane Doe',
      displayIcon: true,
    })
  })

  for (const [what, labels, label] of [
    ['without its first name', { hideFirstLabel: true }, 'Doe'],
    ['without its last name', { hideSecondLabel: true }, 'Jane'],
    ['without either', { hideFirstLabel: true, hideSecondLabel: true }, 'jdoe'],
    ['by other fields', { firstLabelField: 'username', secondLabelField: 'company' }, 'jdoe ACME'],
    ['with its e-mail address', { displayEmailInSuggestion: true }, 'Jane Doe jd@acme.test'],
    ['with another third field', { displayEmailInSuggestion: true, thirdLabelField: 'company' }, 'Jane Doe ACME'],
    ['without a third one', { displayEmailInSuggestion: true, hideThirdLabel: true }, 'Jane Doe'],
    ['by a field that there is not', { firstLabelField: 'toString' }, 'Doe'],
  ] as const) {
    test(`is shown ${what} as ${label}`, () => assert.equal(labelOf(labels), label))
  }

  test('without a name goes by its id', () => {
    assert.equal(labelOf({}, { id: 'x', values: { firstName: null, lastName: ' ' } }), 'x')
    assert.equal(labelOf({ displayEmailInSuggestion: true }, { id: 'x', values: { email: 'x@y.z' } }), 'x x@y.z')
  })

  test('has no icon when none is wanted', () => {
    assert.ok(!('displayIcon' in suggestedUser(jane, { ...plain, hideIcon: true })))
  })
})

describe('a suggested group', () => {
  const devs = { id: 'devs', values: { groupname: 'devs', grouplabel: 'Developers' } }

  test('has its fields and goes by its label', () => {
    assert.deepEqual(suggestedGroup(devs, plain), {
      ...devs.values,
      id: 'devs',
      'entity-type': 'group',
      type: 'GROUP_TYPE',
      prefixed_id: 'group:devs',
      displayLabel: 'Developers',
      displayIcon: true,
    })
  })

  test('goes by its id without a label, or when that is hidden', () => {
    const labelled = (group: typeof devs, labels: Partial<SuggestionLabels>) =>
      (suggestedGroup(group, { ...plain, ...labels }) as { displayLabel: string }).displayLabel
    assert.equal(labelled({ ...devs, values: { ...devs.values, grouplabel: '' } }, {}), 'devs')
    assert.equal(labelled(devs, { hideFirstLabel: true }), 'devs')
  })
})
