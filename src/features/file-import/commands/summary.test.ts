import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { complaint, resultOf, summaryOf } from './summary.ts'
import { createCounter, filesDone, type ImportOutcome } from './tally.ts'

const done = { seconds: 2, isDryRun: false, isComplete: true }

function tallyOf(...outcomes: readonly ImportOutcome[]) {
  const counter = createCounter()
  for (const outcome of outcomes) counter.add(outcome)
  return counter.tally
}

const one = tallyOf({ kind: 'imported', bytes: 1_500 }, { kind: 'folder' })
const mixed = tallyOf(
  { kind: 'imported', bytes: 10 },
  { kind: 'imported', bytes: 10 },
  { kind: 'overwritten', bytes: 5 },
  { kind: 'alreadyThere' },
  { kind: 'leftOut', path: '.a', reason: 'hidden' },
  { kind: 'leftOut', path: 'b', reason: 'link' },
  { kind: 'leftOut', path: 'c', reason: 'link' },
  { kind: 'failed', path: 'd', reason: 'no' },
)

describe('what an import has come to', () => {
  test('is one line when nothing is amiss', () =>
    assert.equal(summaryOf(one, done), '1 file imported (1.5 kB) and 1 folder made in 2.0 s: 0.5 files/s.'))
  test('tells what else there was', () =>
    assert.equal(
      summaryOf(mixed, done),
      '2 files imported (25 bytes) and 0 folders made in 2.0 s: 1.5 files/s.\n' +
        'Overwritten: 1; already there: 1; left out: 1 hidden, 2 links; failed: 1.',
    ))
  test('tells what would be done', () =>
    assert.equal(summaryOf(one, { ...done, isDryRun: true }), '1 file (1.5 kB) would be imported and 1 folder made.'))
  test('tells how to go on when it was stopped', () =>
    assert.match(
      summaryOf(one, { ...done, isComplete: false }),
      /\nStopped before the end: the same command goes on from here\.$/,
    ))
  test('is numbers for a script, with what was not imported and why', () => {
    assert.deepEqual(resultOf(mixed, '/to', done), {
      to: '/to',
      imported: 2,
      overwritten: 1,
      bytes: 25,
      alreadyThere: 1,
      folders: 0,
      leftOut: { hidden: 1, link: 2, special: 0 },
      failed: 1,
      notImported: [
        { path: '.a', reason: 'hidden' },
        { path: 'b', reason: 'link' },
        { path: 'c', reason: 'link' },
        { path: 'd', reason: 'no' },
      ],
      seconds: 2,
      filesPerSecond: 1.5,
      isDryRun: false,
      isComplete: true,
    })
  })
  test('keeps count of all but lists only so many', () => {
    const failures = Array.from(
      { length: 1_500 },
      (_, index): ImportOutcome => ({ kind: 'failed', path: `${index}`, reason: 'no' }),
    )
    const tally = tallyOf(...failures)
    assert.deepEqual([tally.failed, tally.notImported.length], [1_500, 1_000])
  })
  test('counts every file that was dealt with once', () => assert.equal(filesDone(mixed), 5))
})

test('a complaint does nothing to a terminal, whatever the file is called', () => {
  const path = 'a\u001b[2J\nb\u202e\u2028.txt'
  assert.equal(complaint({ path, reason: 'no\r' }), 'not imported: a\\u{1b}[2J\\u{a}b\\u{202e}\\u{2028}.txt: no\\u{d}')
})
