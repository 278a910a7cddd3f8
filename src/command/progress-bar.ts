export interface ProgressFacts {
  readonly done: number
  readonly total: number
  /** What is counted: `files`. */
  readonly unit: string
  readonly seconds: number
}

const barWidth = 24
const narrowest = 10

/** `[=========>              ]  41%  410 of 1,000 files  82/s  7s left`, no wider than the terminal. */
export function progressLine(facts: ProgressFacts, columns: number): string {
  const { done, total, unit, seconds } = facts
  const share = total === 0 ? 1 : Math.min(done / total, 1)
  const rate = seconds > 0 ? done / seconds : 0
  const words = [
    `${String(Math.floor(share * 100)).padStart(3)}%`,
    `${shownNumber(done)} of ${shownNumber(total)} ${unit}`,
    `${shownRate(rate)}/s`,
    ...(rate > 0 && done < total ? [`${shownDuration((total - done) / rate)} left`] : []),
  ].join('  ')
  // One column stays free: a terminal whose last one is written to may begin a new line.
  const width = Math.min(barWidth, columns - words.length - 5)
  return width < narrowest ? words.slice(0, Math.max(0, columns - 1)) : `[${bar(share, width)}]  ${words}`
}

function bar(share: number, width: number): string {
  const filled = Math.round(share * width)
  const head = filled > 0 && filled < width ? '>' : ''
  return `${'='.repeat(filled - head.length)}${head}`.padEnd(width)
}

const grouped = new Intl.NumberFormat('en-US')

export function shownNumber(number: number): string {
  return grouped.format(number)
}

/** Whole numbers, unless so small that they would say nothing. */
export function shownRate(rate: number): string {
  return rate >= 10 || rate === 0 ? shownNumber(Math.round(rate)) : rate.toFixed(1)
}

export function shownDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)}s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** `1.5 MB`, in thousands as settings are. */
export function shownBytes(bytes: number): string {
  if (bytes === 1) return '1 byte'
  let amount = bytes
  let step = 0
  for (; amount >= 1_000 && step < units.length - 1; step++) amount /= 1_000
  return `${step === 0 ? amount : amount.toFixed(1)} ${units[step]}`
}
