import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { extendedOf } from './extended-info.ts'

describe('what a row tells beside its columns', () => {
  test('is what the event has of the properties that are wanted', () => {
    assert.equal(extendedOf({ id: 'ann', other: 1 }, ['id', 'missing']), '{"id":"ann"}')
    assert.equal(extendedOf({ b: 1, a: [true, null] }, 'all'), '{"b":1,"a":[true,null]}')
  })
  test('is nothing where the event has none of them', () => {
    assert.equal(extendedOf({ other: 1 }, ['id']), null)
    assert.equal(extendedOf({}, 'all'), null)
    assert.equal(extendedOf({ id: undefined }, ['id', 'toString']), null)
  })
  test('leaves out files, functions and numbers that are none, also inside of maps and lists', () => {
    const file = { digest: 'd', length: 3, name: 'a.txt' }
    assert.equal(
      extendedOf({ map: { file, kept: 1, nan: Number.NaN }, list: [file, 'x', () => {}], date: new Date(0) }, 'all'),
      '{"map":{"kept":1},"list":["x"],"date":"1970-01-01T00:00:00.000Z"}',
    )
  })
  test('has no text that cannot be stored, no more depth than allowed and no more length', () => {
    assert.equal(extendedOf({ text: 'a\0b\ud800' }, 'all'), '{"text":"a\ufffdb\ufffd"}')
    const endless: { inside?: unknown } = {}
    endless.inside = endless
    assert.ok((extendedOf({ endless }, 'all') ?? '').length < 1_000)
    assert.equal(extendedOf({ long: 'x'.repeat(100_001) }, 'all'), null)
  })
})
