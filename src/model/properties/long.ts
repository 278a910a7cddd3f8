/** A 64-bit integer: a number while a number is exact, a `bigint` beyond. One integer has one form, so `===` compares them. */
export type Long = number | bigint

const smallest = -(2n ** 63n)
const largest = 2n ** 63n - 1n

/** Undefined outside the 64 bits. */
export function toLong(integer: bigint): Long | undefined {
  if (integer < smallest || integer > largest) return undefined
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : integer
}

/** Reads decimal digits with an optional sign; undefined for anything else. */
export function parseLong(text: string): Long | undefined {
  // More than twenty characters cannot be in range, and BigInt takes its time over a million digits.
  if (!/^[+-]?0*\d{1,19}$/.test(text)) return undefined
  return toLong(BigInt(text.startsWith('+') ? text.slice(1) : text))
}

export function isLong(value: unknown): value is Long {
  return typeof value === 'bigint' ? toLong(value) !== undefined : Number.isSafeInteger(value)
}
