import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aModel } from '../../../test/support/model/builders.ts'
import { cachedText } from './cached-text.ts'

describe('what is written about a model', () => {
  test('is written once for each key', () => {
    const model = aModel({})
    let written = 0
    const write = () => ({ time: ++written })
    assert.equal(cachedText(model, 'a', write), '{"time":1}')
    assert.equal(cachedText(model, 'a', write), '{"time":1}')
    assert.equal(cachedText(model, 'b', write), '{"time":2}')
  })
  test('is not shared with another model', () => {
    assert.equal(
      cachedText(aModel({}), 'a', () => 1),
      '1',
    )
    assert.equal(
      cachedText(aModel({}), 'a', () => 2),
      '2',
    )
  })
  test('is asked for anew when there was nothing', () => {
    const model = aModel({})
    assert.equal(
      cachedText(model, 'a', () => undefined),
      undefined,
    )
    assert.equal(
      cachedText(model, 'a', () => 'now'),
      '"now"',
    )
  })
})
