import { type IsoDate, isoDate } from '../../base/iso-date.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'
import type { Store } from '../../store/store.ts'
import { createUploadsInProgress, type UploadsInProgress } from './uploads-in-progress.ts'

/** Settings of uploads. */
export interface UploadRules {
  /** Of one request. */
  readonly maxBytes: number
  readonly batchMaxBytes: number
  /** Of all batches together; about, as many may upload at once. */
  readonly totalMaxBytes?: number
  readonly maxChunks: number
  readonly maxFiles: number
  /** How long a batch lives without being used. */
  readonly ttlSeconds: number
  /** How long a request that uses a file waits for its upload to end. */
  readonly waitSeconds: number
}

/**
 * Files that were sent before anything is done with them. They are in the blob store, and what is known of them is in the transient
 * values: every process that shares the two goes on where another stopped.
 */
export interface Uploads {
  readonly store: Store
  readonly blobs: BlobStore
  readonly rules: UploadRules
  /** In this process. */
  readonly inProgress: UploadsInProgress
  now(): IsoDate
}

export function createUploads(parts: Omit<Uploads, 'inProgress'>): Uploads {
  return { ...parts, inProgress: createUploadsInProgress() }
}

/** When what is written now expires. */
export function expiryFrom(now: IsoDate, seconds: number): IsoDate {
  return isoDate(new Date(Date.parse(now) + seconds * 1000))
}
