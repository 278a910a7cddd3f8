import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../../test/support/model/builtin-model.ts'
import { findRemoved } from './removed-property.ts'

const model = builtinModel

describe('a property that is no more', () => {
  const moved = {
    'file:filename': 'file:content/name',
    'files:files/0/filename': 'files:files/0/file/name',
    'files:files/12/filename': 'files:files/12/file/name',
    'files:files/*/filename': 'files:files/*/file/name',
    'files:files/*1/filename': 'files:files/*1/file/name',
  }
  for (const [old, xpath] of Object.entries(moved)) {
    test(`${old} is ${xpath} now`, () => assert.deepEqual(findRemoved(model, old), { kind: 'moved', xpath }))
  }
  test('common:size is gone', () => assert.deepEqual(findRemoved(model, 'common:size'), { kind: 'gone' }))
})

for (const xpath of [
  'dc:title',
  'file:content',
  'nothing:filename',
  'filename',
  'files:files/x/filename',
  'file:filename/0',
  '',
]) {
  test(`${JSON.stringify(xpath)} was never removed`, () => assert.equal(findRemoved(model, xpath), undefined))
}
