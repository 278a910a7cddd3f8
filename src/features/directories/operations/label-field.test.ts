import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Field, string } from '../../../model/field.ts'
import { findLabelField, requireLabelField, unknownLabelField } from './label-field.ts'

const fields = (...names: readonly string[]) => new Map(names.map((name): [string, Field] => [name, { name, ...string() }]))

describe('the field that holds labels', () => {
  for (const [names, labelFieldName, dbl10n, lang, found] of [
    [['id', 'label'], 'label', false, 'fr', 'label'],
    [['id', 'label_en', 'label_fr'], 'label', false, 'fr', undefined],
    [['id', 'label_en', 'label_fr'], 'label', true, 'fr', 'label_fr'],
    [['id', 'label_en', 'label_fr'], 'label', true, 'fr_CA', 'label_fr'],
    [['id', 'label_en', 'label_fr'], 'label', true, 'de', 'label_en'],
    [['id', 'label'], 'label', true, 'de', 'label'],
    [['id', 'text_de_long', 'text_en_long'], 'text_{lang}_long', true, 'de', 'text_de_long'],
    [['id', 'text_de_long', 'text_en_long'], 'text_{lang}_long', true, 'it', 'text_en_long'],
    [['id'], 'label', true, 'en', undefined],
  ] as const) {
    test(`of ${names} for ${labelFieldName} in ${lang}${dbl10n ? ', a field a language,' : ''} is ${found ?? 'none'}`, () => {
      assert.equal(findLabelField(fields(...names), { labelFieldName, dbl10n, lang }), found)
    })
  }

  test('must be there', () => {
    assert.throws(
      () => requireLabelField('d', fields('id'), { labelFieldName: 'x', dbl10n: false, lang: 'en' }),
      unknownLabelField.is,
    )
  })
})
