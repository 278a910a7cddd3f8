import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { seenIn } from './lookup-statements.ts'

describe('a row is in a state of the database', () => {
  test('when its transaction was over by then', () => {
    const isSeen = seenIn('0 100:110:100,104')
    assert.deepEqual(['99', '101', '103', '105', '109'].map(isSeen), [true, true, true, true, true])
    assert.deepEqual(['100', '104', '110', '111'].map(isSeen), [false, false, false, false])
  })

  test('when nothing was under way', () => {
    const isSeen = seenIn('2 100:100:')
    assert.deepEqual(['99', '100'].map(isSeen), [true, false])
  })

  test('also when the numbers of transactions have gone round in between', () => {
    const round = 2 ** 32
    const isSeen = seenIn(`0 ${3 * round + 5}:${3 * round + 9}:${3 * round + 5}`)
    assert.deepEqual([String(round - 10), '4', '6'].map(isSeen), [true, true, true])
    assert.deepEqual(['5', '9', '20'].map(isSeen), [false, false, false])
  })
})
