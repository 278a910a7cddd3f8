import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aborted, failed, isOver, notBegun, stateOf, withBatch, withFound } from './bulk-command.ts'

const [first, second, third] = ['2031-01-01T00:00:00.000Z', '2031-01-01T00:00:01.500Z', '2031-01-01T00:00:04.000Z'] as const

describe('a bulk command', () => {
  const searching = withFound(notBegun, { ids: ['a', 'b'], lastFound: 'b', isLast: false }, first)
  const searched = withFound(searching, { ids: ['c'], lastFound: 'c', isLast: true }, second)
  const half = withBatch(searched, { size: 2, began: first, ended: second })
  const done = withBatch(half, { size: 1, began: second, ended: third })

  test('is scheduled, searches, runs and is completed', () => {
    assert.deepEqual([notBegun, searching, searched, half, done].map(stateOf), [
      'SCHEDULED',
      'SCROLLING_RUNNING',
      'RUNNING',
      'RUNNING',
      'COMPLETED',
    ])
  })

  test('counts what it found and did, and how long it took', () => {
    assert.deepEqual(
      { ...done },
      {
        total: 3,
        lastFound: 'c',
        processed: 3,
        errorCount: 0,
        errorMessage: null,
        scrollStart: first,
        scrollEnd: second,
        processingStart: first,
        processingEnd: third,
        processingMillis: 4_000,
        completed: third,
        isAborted: false,
      },
    )
  })

  test('that finds nothing is completed at once', () => {
    const nothing = withFound(notBegun, { ids: [], lastFound: null, isLast: true }, first)
    assert.equal(stateOf(nothing), 'COMPLETED')
    assert.equal(nothing.completed, first)
  })

  test('goes on behind what it found and leaves alone', () => {
    const passed = withFound(searching, { ids: [], lastFound: 'd', isLast: false }, second)
    assert.deepEqual([passed.total, passed.lastFound, stateOf(passed)], [2, 'd', 'SCROLLING_RUNNING'])
  })

  test('keeps the message of its first error and counts all', () => {
    const failing = withBatch(searched, { size: 1, failure: 'one', began: first, ended: first })
    const failed = withBatch(failing, { size: 2, failure: 'other', began: first, ended: first })
    assert.deepEqual([failed.errorCount, failed.errorMessage, stateOf(failed)], [3, 'one', 'COMPLETED'])
  })

  test('that is given up is over and stays so', () => {
    const given = aborted(half, third)
    assert.deepEqual([stateOf(given), given.completed, isOver(given)], ['ABORTED', third, true])
    assert.equal(given.processed, 2)
  })

  test('that cannot be continued has failed for all that is left', () => {
    const gone = failed(half, 'the user is gone', third)
    assert.deepEqual([stateOf(gone), gone.errorCount, gone.errorMessage], ['ABORTED', 1, 'the user is gone'])
    assert.equal(failed(notBegun, 'the user is gone', third).errorCount, 1)
  })

  test('that is completed cannot be given up any more', () => assert.equal(aborted(done, third), done))
})
