import type { Log } from '../../base/log.ts'
import { isBlobKey } from '../../store/blobs/blob-digest.ts'
import { type BlobStore, blobDamaged, blobMissing } from '../../store/blobs/blob-store.ts'

/**
 * The same blobs, with a note and a line in the log about each that is read and found missing or damaged: the health check tells
 * of it, and the upload that brings it again replaces it.
 */
export function watchBlobs(blobs: BlobStore, log: Log): BlobStore {
  const read: BlobStore['read'] = async (key, range, length) => {
    try {
      return await blobs.read(key, range, length)
    } catch (err) {
      if (isBlobKey(key) && (blobMissing.is(err) || blobDamaged.is(err))) await note(key, err)
      throw err
    }
  }
  const note = async (key: string, err: unknown) => {
    log.error({ event: 'blob.flawed', key, err }, 'a file is missing or damaged')
    // The caller is told what is wrong with the file, and not what is wrong with the note.
    await blobs.flaws.mark(key).catch(() => {})
  }
  return { ...blobs, read }
}
