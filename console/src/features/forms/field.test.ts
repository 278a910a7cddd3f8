import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Field, fieldsOf } from './field.ts'

const constraint = (name: string, parameters: { [name: string]: string } = {}) =>
  ({ 'entity-type': 'validation_constraint', name, parameters }) as const

function fieldOf(definition: Parameters<typeof fieldsOf>[0]['fields'][string]): Field | undefined {
  return fieldsOf({ name: 'dublincore', prefix: 'dc', fields: { it: definition } })[0]
}

describe('a field', () => {
  const plain = { xpath: 'dc:it', isList: false, isRequired: false }
  test('is edited as its type says', () => {
    assert.deepEqual(fieldOf('string'), { ...plain, kind: 'text' })
    assert.deepEqual(fieldOf({ type: 'date', constraints: [constraint('date')] }), { ...plain, kind: 'date' })
    assert.deepEqual(fieldOf('blob'), { ...plain, kind: 'file' })
    assert.deepEqual(fieldOf('long'), { ...plain, kind: 'number' })
  })
  test('may be required, and may be too long', () => {
    const constraints = [constraint('NotNullConstraint'), constraint('LengthConstraint', { Maximum: '2000' })]
    assert.deepEqual(fieldOf({ type: 'string', constraints }), { ...plain, kind: 'text', isRequired: true, longest: 2000 })
  })
  test('is chosen from a directory, and several of them in a list', () => {
    const parameters = { directory: 'l10nsubjects', parentField: 'parent', separator: '/' }
    assert.deepEqual(
      fieldOf({ type: 'string[]', constraints: [], itemConstraints: [constraint('directoryResolver', parameters)] }),
      {
        ...plain,
        kind: 'entry',
        isList: true,
        directory: 'l10nsubjects',
        separator: '/',
      },
    )
  })
  test('names a document in the form that its plugin wants', () => {
    const constraints = [constraint('documentResolver', { store: 'pathOnly', validation: 'false' })]
    assert.deepEqual(fieldOf({ type: 'string', constraints }), { ...plain, kind: 'document', form: 'pathOnly' })
  })
  test('has fields of its own where it is complex', () => {
    const field = fieldOf({ type: 'complex[]', fields: { label: 'string' } })
    assert.deepEqual(field?.fields, [{ xpath: 'label', kind: 'text', isList: false, isRequired: false }])
  })
})

test('a schema without a prefix has its name there', () => {
  assert.equal(fieldsOf({ name: 'file', fields: { content: 'blob' } })[0]?.xpath, 'file:content')
})
