import type { TimeZone } from '../../../nxql/time-zone.ts'

/** Writes and reads moments in a pattern such as `dd-MM-yyyy`. */
export interface DateFormat {
  format(moment: number, zone: TimeZone): string
  /** Undefined for a text that is not so written. */
  parse(text: string, zone: TimeZone): number | undefined
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond'

type Token =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'number'; readonly part: Part; readonly width: number }
  | { readonly kind: 'month'; readonly style: 'short' | 'long' }
  | { readonly kind: 'weekday'; readonly style: 'short' | 'long' }
  | { readonly kind: 'halfDay' }
  | { readonly kind: 'hourOfHalf'; readonly width: number }
  | { readonly kind: 'offset'; readonly hasColon: boolean; readonly saysZ: boolean }

const numbers: ReadonlyMap<string, Part> = new Map([
  ['y', 'year'],
  ['u', 'year'],
  ['Y', 'year'],
  ['M', 'month'],
  ['L', 'month'],
  ['d', 'day'],
  ['H', 'hour'],
  ['m', 'minute'],
  ['s', 'second'],
  ['S', 'millisecond'],
])

// Written out: asking for them takes 20 ms of every start.
const months = 'January February March April May June July August September October November December'.split(' ')
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const monthNames = { long: months, short: months.map(firstThree) }
const weekdayNames = { long: weekdays, short: weekdays.map(firstThree) }

/** Quotes around the whole pattern, as some definitions have them, say nothing. @throws RangeError for a letter without meaning. */
export function javaDateFormat(pattern: string): DateFormat {
  const tokens = tokensOf(pattern.replace(/^"(.*)"$/s, '$1'))
  return { format: (moment, zone) => tokens.map((token) => write(token, moment, zone)).join(''), parse: parserOf(tokens) }
}

function tokensOf(pattern: string): readonly Token[] {
  return [...pattern.matchAll(/'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g)].map(([text, literal, letter]) => {
    if (literal !== undefined) return { kind: 'literal', text: literal === '' ? "'" : literal.replaceAll("''", "'") }
    return letter === undefined ? { kind: 'literal', text } : letterToken(letter, text.length)
  })
}

function letterToken(letter: string, width: number): Token {
  const style = width >= 4 ? 'long' : 'short'
  if ((letter === 'M' || letter === 'L') && width >= 3) return { kind: 'month', style }
  if (letter === 'E') return { kind: 'weekday', style }
  if (letter === 'a') return { kind: 'halfDay' }
  if (letter === 'h') return { kind: 'hourOfHalf', width }
  if (letter === 'Z' || letter === 'X' || letter === 'x') {
    return { kind: 'offset', hasColon: letter === 'Z' ? width === 2 : width >= 3, saysZ: letter === 'X' }
  }
  const part = numbers.get(letter)
  if (part === undefined) throw new RangeError(`the letter ${letter} has no meaning in a date format`)
  return { kind: 'number', part, width }
}

function write(token: Token, moment: number, zone: TimeZone): string {
  const shown = zone.shownAt(moment)
  const date = new Date(shown)
  switch (token.kind) {
    case 'literal':
      return token.text
    case 'number':
      return writeNumber(token.part, token.width, date)
    case 'month':
      return monthNames[token.style][date.getUTCMonth()] ?? ''
    case 'weekday':
      return weekdayNames[token.style][date.getUTCDay()] ?? ''
    case 'halfDay':
      return date.getUTCHours() < 12 ? 'AM' : 'PM'
    case 'hourOfHalf':
      return String(date.getUTCHours() % 12 || 12).padStart(token.width, '0')
    case 'offset':
      return writeOffset(shown - moment, token)
  }
}

function writeNumber(part: Part, width: number, date: Date): string {
  if (part === 'year' && width === 2) return String(date.getUTCFullYear() % 100).padStart(2, '0')
  return String(readPart(part, date)).padStart(part === 'millisecond' ? 3 : width, '0')
}

function readPart(part: Part, date: Date): number {
  switch (part) {
    case 'year':
      return date.getUTCFullYear()
    case 'month':
      return date.getUTCMonth() + 1
    case 'day':
      return date.getUTCDate()
    case 'hour':
      return date.getUTCHours()
    case 'minute':
      return date.getUTCMinutes()
    case 'second':
      return date.getUTCSeconds()
    case 'millisecond':
      return date.getUTCMilliseconds()
  }
}

function writeOffset(millis: number, { hasColon, saysZ }: { readonly hasColon: boolean; readonly saysZ: boolean }): string {
  if (millis === 0 && saysZ) return 'Z'
  const minutes = Math.abs(millis) / 60_000
  const digits = [Math.floor(minutes / 60), minutes % 60].map((number) => String(number).padStart(2, '0'))
  return `${millis < 0 ? '-' : '+'}${digits.join(hasColon ? ':' : '')}`
}

function parserOf(tokens: readonly Token[]): DateFormat['parse'] {
  const expression = new RegExp(`^${tokens.map((token, index) => expressionOf(token, tokens[index + 1])).join('')}$`, 'i')
  return (text, zone) => {
    const found = expression.exec(text.trim())
    return found === null ? undefined : momentOf(tokens, found.slice(1), zone)
  }
}

/** A number that another follows at once has just its width. */
function expressionOf(token: Token, next: Token | undefined): string {
  const isTight = next?.kind === 'number' || next?.kind === 'hourOfHalf'
  switch (token.kind) {
    case 'literal':
      return `(${RegExp.escape(token.text)})`
    case 'number':
    case 'hourOfHalf':
      if (token.kind === 'number' && token.part === 'year') return token.width === 2 ? '(\\d{2})' : '(\\d{4})'
      return isTight ? `(\\d{${token.width}})` : '(\\d{1,3})'
    case 'month':
      return `(${monthNames[token.style].join('|')})`
    case 'weekday':
      return `(${weekdayNames[token.style].join('|')})`
    case 'halfDay':
      return '(AM|PM)'
    case 'offset':
      return '(Z|[+-]\\d{2}:?\\d{2})'
  }
}

function momentOf(tokens: readonly Token[], texts: readonly string[], zone: TimeZone): number | undefined {
  const parts: Record<Part, number> = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 }
  let isAfternoon = false
  let offset: string | undefined
  for (const [index, token] of tokens.entries()) {
    const text = texts[index] ?? ''
    if (token.kind === 'number')
      parts[token.part] = token.part === 'year' && token.width === 2 ? 2000 + Number(text) : Number(text)
    if (token.kind === 'hourOfHalf') parts.hour = Number(text) % 12
    if (token.kind === 'month') parts.month = 1 + indexOfName(monthNames[token.style], text)
    if (token.kind === 'halfDay') isAfternoon = text.toUpperCase() === 'PM'
    if (token.kind === 'offset') offset = text
  }
  const { year, month, day, hour, minute, second, millisecond } = parts
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  date.setUTCHours(isAfternoon ? hour + 12 : hour, minute, second, millisecond)
  return offset === undefined ? zone.momentOf(date.getTime()) : date.getTime() - offsetMillis(offset)
}

function offsetMillis(text: string): number {
  if (text.toUpperCase() === 'Z') return 0
  const digits = text.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (text.startsWith('-') ? -1 : 1) * minutes * 60_000
}

function indexOfName(names: readonly string[], text: string): number {
  return names.findIndex((name) => name.toLowerCase() === text.toLowerCase())
}

function firstThree(name: string): string {
  return name.slice(0, 3)
}
