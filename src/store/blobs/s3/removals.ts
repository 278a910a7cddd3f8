import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../../../base/ids.ts'
import type { ListedBlob } from '../blob-store.ts'
import type { S3Bucket } from './bucket.ts'
import { objectStoreUnreachable } from './s3-problems.ts'

// A removal that has not happened by then does not happen any more; who waits for one waits longer than that.
const removalMillis = 20_000
const waitMillis = 90_000
const lookMillis = 100
/** No write takes as long between its end and its look for a note. */
export const noteMillis = 3_600_000

const underWay = new Uint8Array()
const over = Buffer.from('over')

export interface Removals {
  removeUnlessTouched(blob: ListedBlob): Promise<boolean>
  /** Has the object brought, and brought again should it have been removed just then. */
  bringSafely(key: string, bring: () => Promise<void>, signal: AbortSignal | undefined): Promise<void>
}

/**
 * An object store removes whatever has the name: it cannot be told to spare an object that was written again since it was looked at. So
 * who removes leaves a note before that look, and who writes looks for notes afterwards, for which one request is enough where there
 * is none. Either the one sees the new time of the object, or the other the note: then it waits until the removal is over, and looks
 * whether its object is still there.
 */
export function createRemovals(bucket: S3Bucket, folder: string): Removals {
  async function removeUnderNote({ key, touched }: ListedBlob, signal: AbortSignal): Promise<boolean> {
    const found = await bucket.findFacts(key, signal)
    if (found === undefined || found.touched > touched) return false
    await bucket.remove(key, signal)
    return true
  }

  /** Whether there was any. */
  async function awaitRemovals(key: string, signal: AbortSignal | undefined): Promise<boolean> {
    const deadline = performance.now() + waitMillis
    for (;;) {
      const notes = await Array.fromAsync(bucket.list(`${folder}${key}.`))
      const isOver = notes.every(({ length }) => length > 0)
      if (isOver || performance.now() > deadline) return notes.length > 0
      await pause(lookMillis, undefined, signal && { signal })
    }
  }

  return {
    async removeUnlessTouched(blob) {
      const note = `${folder}${blob.key}.${newId()}`
      const signal = AbortSignal.timeout(removalMillis)
      await bucket.put(note, underWay)
      try {
        return await removeUnderNote(blob, signal)
      } catch (error) {
        throw signal.aborted ? objectStoreUnreachable({}, { cause: error }) : error
      } finally {
        await bucket.put(note, over)
      }
    },

    async bringSafely(key, bring, signal) {
      await bring()
      while ((await awaitRemovals(key, signal)) && (await bucket.findFacts(key, signal)) === undefined) await bring()
    },
  }
}
