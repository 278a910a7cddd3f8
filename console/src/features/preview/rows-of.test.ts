import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from './rows-of.ts'

test('cells may hold separators, lines and quotes', () => {
  assert.deepEqual(rowsOf('a,b\r\n"x, y","line\nand ""more"""\n', 10), [
    ['a', 'b'],
    ['x, y', 'line\nand "more"'],
  ])
})

test('the separator is the one that the first line uses', () => {
  assert.deepEqual(rowsOf('a;b\n1,5;2', 10), [
    ['a', 'b'],
    ['1,5', '2'],
  ])
})

test('no more rows are read than are shown', () => assert.equal(rowsOf('a\n'.repeat(1000), 20).length, 20))
