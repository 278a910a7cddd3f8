import type { IsoDate } from '../../../base/iso-date.ts'
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

/** To the second, in the zone in which queries read dates without one. */
export function timestamp(moment: IsoDate, zone: TimeZone): string {
  const shown = new Date(zone.shownAt(Date.parse(moment))).toISOString()
  return `TIMESTAMP '${shown.slice(0, 10)} ${shown.slice(11, 19)}'`
}

export function listed(literals: readonly string[]): string {
  return `(${literals.join(', ')})`
}
