import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useS3Server } from '../support/blob-places.ts'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { maxMegabytes, maxMegabytesWithBucket, takeThrough } from './large/large-round.ts'

const length = 64_000_001
const chunkBytes = 5_000_000

describe('a large file', () => {
  for (const engine of engines) {
    test(`goes up in chunks and comes down in ranges, and the server does not grow with it (${engine})`, async () => {
      const { megabytes } = await takeThrough(await filledPlace(engine), { seed: 1, length, chunkBytes })
      assert.ok(megabytes < maxMegabytes, `${megabytes.toFixed(0)} MB`)
    })
  }

  const bucket = useS3Server()
  test('does so through an object store as well', async () => {
    const { megabytes } = await takeThrough(await filledPlace('sqlite'), { seed: 2, length, chunkBytes }, bucket())
    assert.ok(megabytes < maxMegabytesWithBucket, `${megabytes.toFixed(0)} MB`)
  })
})
