import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { table } from './table.ts'

describe('a table', () => {
  test('has columns as wide as their widest cell and nothing behind the last', () => {
    const rows = [
      ['bob', 'Bob', ''],
      ['administrator', '', 'a@b.c'],
    ]
    assert.equal(
      table(['USER', 'NAME', 'E-MAIL'], rows),
      ['USER           NAME  E-MAIL', 'bob            Bob', 'administrator        a@b.c'].join('\n'),
    )
  })
  test('is not as wide in every row as a cell that is very long', () => {
    const [title, short, long] = table(
      ['A', 'B'],
      [
        ['x', 'y'],
        ['z'.repeat(1_000_000), 'end'],
      ],
    ).split('\n')
    assert.deepEqual([title, short], [`A${' '.repeat(61)}B`, `x${' '.repeat(61)}y`])
    assert.equal(long, `${'z'.repeat(1_000_000)}  end`)
  })

  test('shows control characters as blanks, so that no name can write elsewhere on a terminal', () => {
    assert.equal(table(['X'], [['a\u001b[2Jb\n']]), 'X\na [2Jb')
  })
})
