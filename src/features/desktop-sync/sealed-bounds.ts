import { createHmac } from 'node:crypto'

/** Numbers by which clients say up to where they know of changes. They tell nothing else: not how many there were that are none of theirs. */
export interface SealedBounds {
  seal(position: number): number
  /** Undefined for what is no number of ours. */
  open(bound: number): number | undefined
}

// Two halves make 52 bits, which every client reads as the number that it is.
const halfBits = 26
const half = 2 ** halfBits
/** Below the position: a number that somebody made up has zeros there once in 4096 times. */
const zeros = 2 ** 12
const rounds = 8

/** A permutation of all such numbers that nobody can tell from a random one who has not the secret (Feistel). */
export function createSealedBounds(secret: string): SealedBounds {
  const mixed = (round: number, value: number) =>
    createHmac('sha256', secret).update(`bound:${round}:${value}`).digest().readUInt32BE() % half
  return {
    seal(position) {
      let [left, right] = halvesOf(position * zeros)
      for (let round = 0; round < rounds; round += 1) [left, right] = [right, left ^ mixed(round, right)]
      return left * half + right
    },
    open(bound) {
      if (!Number.isSafeInteger(bound) || bound < 0 || bound >= half * half) return undefined
      let [left, right] = halvesOf(bound)
      for (let round = rounds - 1; round >= 0; round -= 1) [left, right] = [right ^ mixed(round, left), left]
      const opened = left * half + right
      return opened % zeros === 0 ? opened / zeros : undefined
    },
  }
}

function halvesOf(block: number): [left: number, right: number] {
  return [Math.floor(block / half), block % half]
}
