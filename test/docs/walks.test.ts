import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { type Walk, walkRequests } from '../support/walked-requests.ts'
import { withWalks } from '../support/walks-page.ts'

describe('the files that a request passes', () => {
  let walks: readonly Walk[] = []

  before(async () => {
    walks = await walkRequests()
  })

  test('are those that docs/architecture.md shows; npm run walks writes it', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8')
    assert.deepEqual(page.split('\n'), withWalks(page, walks).split('\n'))
  })

  test('are few enough to be read by somebody who is new', () => {
    const tooLong = walks.filter(({ files, bound = Number.POSITIVE_INFINITY }) => files.length > bound)
    assert.deepEqual(
      tooLong.map(({ name, files }) => `${name}: ${files.length}`),
      [],
    )
  })
})
