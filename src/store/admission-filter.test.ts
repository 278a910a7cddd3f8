import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAdmissionFilter } from './admission-filter.ts'

test('an id is seen again the second time, whatever came between', () => {
  const isSeenAgain = createAdmissionFilter()
  const ids = Array.from({ length: 1_000 }, (_, index) => `0196128a-96a5-7322-83a2-${index.toString(16).padStart(12, '0')}`)
  const first = ids.filter((id) => isSeenAgain(id)).length
  const second = ids.filter((id) => isSeenAgain(id)).length
  assert.equal(first, 0)
  // A few share their place with another.
  assert.ok(second > 950, `${second} of ${ids.length}`)
})

test('servers do not share what they have seen', () => {
  createAdmissionFilter()('a')
  assert.equal(createAdmissionFilter()('a'), false)
})
