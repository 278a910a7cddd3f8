import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stringifyInSlices } from './json.ts'

const entries = Array.from({ length: 500 }, (_, index) => ({ index, text: '"\u0000entries\u0000', nothing: undefined }))

test('a long list reads as if it were written at once', async () => {
  for (const body of [{ entries }, { a: 1, entries, b: [2] }, { b: 'entries', entries: [...entries, undefined, null, 1n] }]) {
    const expected = JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
    assert.equal(await stringifyInSlices(body, () => {}), expected)
  }
})

test('what has no list is written at once', () => {
  for (const body of [null, 1, 'x', [1], { entries: 'x' }, { entries: [1] }, {}]) {
    assert.equal(
      stringifyInSlices(body, () => {}),
      JSON.stringify(body),
    )
  }
})

test('a list that becomes too long is given up in the middle', async () => {
  let pieces = 0
  const writing = stringifyInSlices({ entries }, () => {
    if (++pieces === 10) throw new Error('enough')
  })
  await assert.rejects(async () => writing, /enough/)
  assert.equal(pieces, 10)
})
