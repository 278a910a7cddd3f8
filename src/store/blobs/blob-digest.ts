import { createHash } from 'node:crypto'
import type { DigestAlgorithm, StoredBlob } from './blob-store.ts'

const nodeNames = { MD5: 'md5', 'SHA-256': 'sha256' } as const satisfies Record<DigestAlgorithm, string>

/** Those of every algorithm: what was stored under another setting stays readable. */
const keyPattern = /^(?:[0-9a-f]{32}|[0-9a-f]{64})$/

/** Whoever names a blob names its digest; anything else is no key, and no path is made of it. */
export function isBlobKey(text: string): boolean {
  return keyPattern.test(text)
}

/** Which algorithm made a key. */
export function algorithmOf(key: string): DigestAlgorithm {
  return key.length === 64 ? 'SHA-256' : 'MD5'
}

/** Counts and digests bytes as they pass. */
export interface DigestCounter {
  add(bytes: Uint8Array): void
  /** What all of them together are. Nothing can be added afterwards. */
  finish(): StoredBlob
}

export function countDigest(digestAlgorithm: DigestAlgorithm): DigestCounter {
  const hash = createHash(nodeNames[digestAlgorithm])
  let length = 0
  return {
    add(bytes) {
      hash.update(bytes)
      length += bytes.length
    },
    finish() {
      const key = hash.digest('hex')
      return { key, digest: key, digestAlgorithm, length }
    },
  }
}
