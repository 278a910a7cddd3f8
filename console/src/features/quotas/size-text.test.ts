import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSize, sizeText } from './size-text.ts'

test('a size is read as people type it, in either language', () => {
  for (const [text, bytes] of [
    ['10 GB', 10_000_000_000],
    ['10GB', 10_000_000_000],
    ['1,5 Go', 1_500_000_000],
    ['1.5 kb', 1_500],
    ['512 MiB', 536_870_912],
    ['1024', 1_024],
    ['0', 0],
    ['3\u202fTo', 3_000_000_000_000],
    ['7 bytes', 7],
  ] as const)
    assert.equal(parseSize(text), bytes, text)
})

test('what says no size is none', () => {
  for (const text of ['', 'much', '-1', '10 G', '10 ib', '1e9', '10 GBs', '999999999999 TB', '1.2.3 MB'])
    assert.equal(parseSize(text), undefined, text)
})

test('a size is shown as it can be typed again', () => {
  for (const [bytes, text] of [
    [10_000_000_000, '10 GB'],
    [1_500, '1500 B'],
    [536_870_912, '536870912 B'],
    [0, '0 B'],
  ] as const) {
    assert.equal(sizeText(bytes, 'en'), text)
    assert.equal(parseSize(sizeText(bytes, 'fr')), bytes)
  }
})
