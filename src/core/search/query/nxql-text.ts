import { type IsoDate, isoDate, isWritable } from '../../../base/iso-date.ts'
import type { TimeZone } from '../../../nxql/time-zone.ts'

export type Quote = "'" | '"'

/** A string literal that means exactly this text, whatever is in it. */
export function quoted(text: string): string {
  return `'${escaped(text, "'")}'`
}

/** What stands for the text between such quotes. */
export function escaped(text: string, quote: Quote): string {
  return text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replaceAll('\n', '\\n').replaceAll('\r', '\\r')
}

/**
 * To the second, in the zone in which queries read dates without one. In UTC where its clocks do not tell the moment: they show the hour
 * twice in which they are set back, and a year of five digits in the last hours that there are.
 */
export function timestamp(moment: IsoDate, zone: TimeZone): string {
  const second = Math.floor(Date.parse(moment) / 1_000) * 1_000
  const shown = zone.shownAt(second)
  const isTold = isWritable(new Date(shown)) && zone.momentOf(shown) === second
  const written = isoDate(new Date(isTold ? shown : second))
  return `TIMESTAMP '${written.slice(0, 10)} ${written.slice(11, 19)}${isTold ? '' : 'Z'}'`
}

export function listed(literals: readonly string[]): string {
  return `(${literals.join(', ')})`
}
