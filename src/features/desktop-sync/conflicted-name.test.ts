import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conflictedName } from './conflicted-name.ts'

const now = new Date('2031-05-06T07:08:09Z')

const names = {
  'Plan.odt': 'Plan (Ann Lee - 2031-05-06 07-08).odt',
  'My file (é).doc': 'My file (é) (Ann Lee - 2031-05-06 07-08).doc',
  folder: 'folder (Ann Lee - 2031-05-06 07-08)',
  '.hidden': '.hidden (Ann Lee - 2031-05-06 07-08)',
  'archive.tar.gz': 'archive.tar (Ann Lee - 2031-05-06 07-08).gz',
  'No. 5 of them': 'No. 5 of them (Ann Lee - 2031-05-06 07-08)',
  'ends.': 'ends. (Ann Lee - 2031-05-06 07-08)',
}

for (const [name, conflicted] of Object.entries(names)) {
  test(`${name} becomes ${conflicted}`, () => assert.equal(conflictedName(name, 'Ann Lee', now), conflicted))
}
