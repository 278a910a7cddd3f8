export type Milliseconds = number

const millisecondsIn = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export type DurationUnit = keyof typeof millisecondsIn

/** Reads `500ms`, `30s`, `60m`, `36h` or `1d`; a number alone only where `bareUnit` says what it means. */
export function parseDuration(text: string, bareUnit?: DurationUnit): Milliseconds | undefined {
  const found = /^(\d+)\s*(ms|s|m|h|d)?$/.exec(text.trim())
  const unit = (found?.[2] as DurationUnit | undefined) ?? bareUnit
  if (found === null || unit === undefined) return undefined
  const milliseconds = Number(found[1]) * millisecondsIn[unit]
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined
}
