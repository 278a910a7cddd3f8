import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { firstBytes } from './first-bytes.ts'

test('no more of a file is read than needed', async () => {
  let read = 0
  const endless = Readable.from(
    (function* () {
      for (;;) {
        read += 1
        yield Buffer.alloc(1_000, 'x')
      }
    })(),
    { highWaterMark: 1 },
  )
  const { bytes, isCut } = await firstBytes(endless, 2_500)
  assert.deepEqual([bytes.length, isCut], [2_500, true])
  assert.ok(read < 10)
})

test('a file that is no longer than needed is read whole', async () => {
  const { bytes, isCut } = await firstBytes(Readable.from([Buffer.from('abc'), Buffer.from('de')]), 5)
  assert.deepEqual([Buffer.from(bytes).toString(), isCut], ['abcde', false])
})
