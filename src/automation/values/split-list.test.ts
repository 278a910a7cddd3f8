import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { splitList, splitValues } from './split-list.ts'

const escaped = (item: string) => item.replace(/[\\,]/g, '\\$&')

describe('a text with commas', () => {
  const rows: [text: string, items: readonly string[]][] = [
    ['a,b,c', ['a', 'b', 'c']],
    [' a , b ', ['a', 'b']],
    ['a,b\\,c', ['a', 'b,c']],
    ['a\\\\,b', ['a\\', 'b']],
    ['C:\\temp,D:\\', ['C:\\temp', 'D:\\']],
    ['a,,b', ['a', '', 'b']],
    ['', []],
    ['   ', []],
  ]
  for (const [text, items] of rows) {
    test(`${JSON.stringify(text)} has the items ${JSON.stringify(items)}`, () => assert.deepEqual(splitList(text), items))
  }

  test('keeps the blanks of values', () => assert.deepEqual(splitValues(' a , b'), [' a ', ' b']))

  test('gives back whatever items were escaped and joined', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (items) => {
        fc.pre(items.join(',') !== '')
        assert.deepEqual(splitValues(items.map(escaped).join(',')), items)
      }),
    )
  })

  test('never loses a character that is no comma and no backslash', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const plain = (one: string) => one.replace(/[\\,]/g, '')
        assert.equal(plain(splitValues(text).join('')), plain(text))
      }),
    )
  })
})
