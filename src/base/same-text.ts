import { timingSafeEqual } from 'node:crypto'

/** Compares without telling by its duration how much was right: for what somebody may try to guess. */
export function isSameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
