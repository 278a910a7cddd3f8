import { createHash } from 'node:crypto'
import type { DigestAlgorithm, StoredBlob } from './blob-store.ts'

const nodeNames = { MD5: 'md5', 'SHA-256': 'sha256' } as const satisfies Record<DigestAlgorithm, string>

const addressAlgorithm = 'SHA-256'

/** Also those of MD5, by which earlier programs named files: what they stored stays readable until it is carried over. */
const keyPattern = /^(?:[0-9a-f]{32}|[0-9a-f]{64})$/

/** A blob is named by its digest; anything else is no key, and no path is made of it. */
export function isBlobKey(text: string): boolean {
  return keyPattern.test(text)
}

/** Whether an earlier program named the blob, by its MD5. */
export function isOldAddress(key: string): boolean {
  return key.length === 32 && isBlobKey(key)
}

/** Counts and digests bytes as they pass. */
export interface DigestCounter {
  add(bytes: Uint8Array): void
  /** What all of them together are. Nothing can be added afterwards. */
  finish(): StoredBlob
}

/**
 * The key is the SHA-256, whatever clients are shown: of MD5 there are files with one digest and different bytes, and who can bring two
 * of them would have one document show the file of another.
 */
export function countDigest(digestAlgorithm: DigestAlgorithm): DigestCounter {
  const address = createHash(nodeNames[addressAlgorithm])
  const shown = digestAlgorithm === addressAlgorithm ? undefined : createHash(nodeNames[digestAlgorithm])
  let length = 0
  return {
    add(bytes) {
      address.update(bytes)
      shown?.update(bytes)
      length += bytes.length
    },
    finish() {
      const key = address.digest('hex')
      return { key, digest: shown?.digest('hex') ?? key, digestAlgorithm, length }
    },
  }
}
