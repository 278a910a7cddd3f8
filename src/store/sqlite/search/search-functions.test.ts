import assert from 'node:assert/strict'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { describe, test } from 'node:test'
import { defineSearchFunctions } from './search-functions.ts'

describe('the functions that searches have in SQLite', () => {
  const database = new DatabaseSync(':memory:', { returnArrays: true })
  let isOver = false
  defineSearchFunctions(database, () => {
    if (isOver) throw new Error('the time is over')
  })
  const value = (expression: string, ...values: readonly SQLInputValue[]) =>
    (database.prepare(`SELECT ${expression}`).get(...values) as unknown as [unknown])[0]

  test('know the lower case of every letter', () => {
    assert.equal(value('lower_case(?)', 'ÄRGER ΣΑΣ'), 'ärger σασ')
    assert.equal(value('lower_case(NULL)'), null)
  })

  test('take words as the index does', () => assert.equal(value('words_of(?)', 'Café: Łódź'), ' cafe lodz '))

  test('match expressions, and patterns of any length', () => {
    assert.equal(value('matches_expression(?, ?)', ' one two ', ' (tw[^ ]|x) '), 1)
    assert.equal(value('matches_expression(?, ?)', ' one ', ' (tw[^ ]|x) '), 0)
    const pattern = JSON.stringify([{ kind: 'run' }, { kind: 'text', text: 'b' }])
    assert.equal(value('matches_like(?, ?)', 'aab', pattern), 1)
    assert.equal(value('matches_like(?, ?)', 'aba', pattern), 0)
  })

  test('look at long texts part by part, as if they were one, and at the clock before each', () => {
    const long = ` ${'word '.repeat(100_000)}twX `.toLowerCase()
    assert.equal(value('matches_expression(?, ?)', long, ' (tw[^ ]|y) '), 1)
    assert.equal(value('matches_expression(?, ?)', long, ' (wor|zz) '), 0)
    assert.equal(value('words_of(?)', long.toUpperCase()), long)
    isOver = true
    assert.throws(() => value('words_of(?)', long), /the time is over/)
    isOver = false
  })

  test('give the segment of a path, and null beyond its end', () => {
    assert.deepEqual(
      [1, 2, 3].map((depth) => value('path_segment(?, ?)', '/a/b', depth)),
      ['a', 'b', null],
    )
    assert.equal(value("path_segment('/', 1)"), null)
  })

  test('add integers beyond 64 bits, and nothing to null', () => {
    assert.equal(
      value('exact_sum(value) FROM json_each(?)', '[9223372036854775807, 9223372036854775807, null]'),
      '18446744073709551614',
    )
    assert.equal(value("exact_sum(value) FROM json_each('[]')"), null)
  })
})
