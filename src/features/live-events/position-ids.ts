import { createCipheriv, createDecipheriv, hash, randomFillSync } from 'node:crypto'

/** Ids of events by which clients say where they were. They tell nothing else: not how much has happened that somebody may not read. */
export interface PositionIds {
  /** Another text each time, also for the same position. */
  seal(position: number): string
  /** Undefined for what is no id of ours. */
  open(id: string): number | undefined
}

const blockBytes = 16
const positionBytes = 6
const nonceBytes = 4
/** Behind the position and the nonce: a text that somebody made up has zeros there once in 2^48 times. */
const zeros = Buffer.alloc(blockBytes - positionBytes - nonceBytes)

/** One block of AES is a permutation that nobody can tell from a random one who has not the key; no two blocks are chained. */
export function createPositionIds(secret: string): PositionIds {
  const key = hash('sha256', secret, 'buffer').subarray(0, blockBytes)
  return {
    seal(position) {
      const block = Buffer.alloc(blockBytes)
      block.writeUIntBE(position, 0, positionBytes)
      randomFillSync(block, positionBytes, nonceBytes)
      return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block).toString('base64url')
    },
    open(id) {
      const block = Buffer.from(id, 'base64url')
      if (block.length !== blockBytes || block.toString('base64url') !== id) return undefined
      const opened = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block)
      if (!opened.subarray(positionBytes + nonceBytes).equals(zeros)) return undefined
      return opened.readUIntBE(0, positionBytes)
    },
  }
}
