import type { BlobValue } from '../../model/properties/property.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'

/**
 * Looks at a file that was sent, before a document gets it, and may say more about it. It runs outside of any transaction, so it may
 * read the bytes; they are in the blob store by then.
 * @example
 * const markLetters: BlobInspector = {
 *   name: 'markLetters',
 *   inspect: async (blob) => (blob.name?.endsWith('.letter') ? { ...blob, 'mime-type': 'application/x-letter' } : blob),
 * }
 */
export interface BlobInspector {
  readonly name: string
  inspect(blob: BlobValue, blobs: Pick<BlobStore, 'read'>): Promise<BlobValue>
}
