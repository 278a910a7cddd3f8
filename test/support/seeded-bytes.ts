import { createCipheriv, createHash } from 'node:crypto'
import { Readable } from 'node:stream'

const blockBytes = 16
const pieceBytes = 256 * 1024

/**
 * Bytes that look random and follow from a seed (AES in counter mode), so that any part of a file of any size can be made, and
 * checked, without the file.
 */
export function seededBytes(seed: number, start: number, length: number): Buffer<ArrayBuffer> {
  const key = Buffer.alloc(blockBytes)
  key.writeDoubleBE(seed)
  const counter = Buffer.alloc(blockBytes)
  counter.writeBigUInt64BE(BigInt(Math.floor(start / blockBytes)), 8)
  const skipped = start % blockBytes
  return createCipheriv('aes-128-ctr', key, counter)
    .update(Buffer.alloc(skipped + length))
    .subarray(skipped)
}

/** The first bytes of the same as they would be read from a file. */
export function seededStream(seed: number, length: number): Readable {
  return Readable.from(everyPiece(seed, length), { objectMode: false })
}

/** The digest of the first bytes, as files are named by it. */
export function seededDigest(seed: number, length: number): string {
  const digest = createHash('md5')
  for (const piece of everyPiece(seed, length)) digest.update(piece)
  return digest.digest('hex')
}

function* everyPiece(seed: number, length: number): Generator<Buffer> {
  for (let start = 0; start < length; start += pieceBytes) {
    yield seededBytes(seed, start, Math.min(pieceBytes, length - start))
  }
}
