/** Numbers that come in the same order for the same seed (mulberry32), so that a failed run can be repeated. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number
  /** At least `from`, less than `to`, whole. */
  between(from: number, to: number): number
  pick<Item>(items: readonly Item[]): Item | undefined
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from))
  return { next, between, pick: (items) => items[between(0, items.length)] }
}
