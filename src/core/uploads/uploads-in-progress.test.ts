import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createUploadsInProgress } from './uploads-in-progress.ts'

describe('uploads in progress', () => {
  test('are waited for until the first of them ends, however it ends', async () => {
    const uploads = createUploadsInProgress()
    const [slow, quick] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const running = [uploads.during('b', () => slow.promise), uploads.during('b', () => quick.promise)] as const
    const waiting = uploads.next('b', 60_000)
    quick.reject(new Error('cut off'))
    assert.equal(await waiting, true)
    await assert.rejects(running[1], /cut off/)
    slow.resolve('done')
    assert.equal(await running[0], 'done')
    assert.equal(await uploads.next('b', 60_000), false)
  })

  test('are waited for no longer than that', async () => {
    const uploads = createUploadsInProgress()
    const endless = Promise.withResolvers<void>()
    const running = uploads.during('b', () => endless.promise)
    assert.equal(await uploads.next('b', 5), true)
    endless.resolve()
    await running
  })

  test('of other batches are of no account', async () => {
    const uploads = createUploadsInProgress()
    const endless = Promise.withResolvers<void>()
    const running = uploads.during('other', () => endless.promise)
    assert.equal(await uploads.next('b', 60_000), false)
    endless.resolve()
    await running
  })
})
