import { defineProblem } from '../../../base/problem.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { escaped, listed, type Quote, quoted } from './nxql-text.ts'

/** The text of a query with its places filled. */
export interface PatternFiller {
  /** Fills the places of one more text, with the parameters that are left. */
  fill(pattern: string, style: FillStyle): string
  /** @throws tooManyParameters when some were not used. */
  finish(): void
}

export interface PatternValues {
  /** For the `?`, from left to right. */
  readonly ordered: readonly PropertyValue[]
  /** For the `?` that these leave. */
  readonly spare?: readonly PropertyValue[]
  /** NXQL that stands for a named parameter, or undefined when it has no value. */
  findNamed(name: string): string | undefined
}

export interface FillStyle {
  /** Texts get quotes around them. Without, a `?` inside a string is a place too: `'?%'`. */
  readonly quotes: boolean
  readonly escapes: boolean
}

export const tooManyParameters = defineProblem(
  'tooManyParameters',
  'invalid',
  (of: { given: number; places: number }) => `The query has ${of.places} place(s) for parameters, but ${of.given} were given.`,
)

// Strings, hints, `?`, and `:name` where no name goes on that way, as `dc:title` does. A name in a query may hold all these signs.
// What is never closed goes on to the end: looking for an end from every beginning takes quadratic time.
const pieces = /'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|\/\*\+.*?(?:\*\/|$)|\?|(?<![\w$:.-]):[A-Za-z][\w:]*/gs

/** Fills every place in one pass, so that a value never becomes a place itself. */
export function createPatternFiller({ ordered, spare = [], findNamed }: PatternValues): PatternFiller {
  const values = [...ordered, ...spare]
  let used = 0
  let isCut = false

  // Behind a place for which no parameter is left there is nothing, so that nothing can be read that was not meant (14.2).
  const place = (write: (value: PropertyValue) => string): string => {
    if (values.length === 0) return '?'
    const value = values[used]
    used += 1
    if (value !== undefined) return write(value)
    isCut = true
    return ''
  }

  const fillPiece = (piece: string, style: FillStyle, before: string): string => {
    if (piece === '?') return place((value) => writeValue(value, style, before.trimEnd().endsWith('(')))
    if (piece.startsWith(':')) return findNamed(piece.slice(1)) ?? piece
    const isString = piece.startsWith("'") || piece.startsWith('"')
    return isString && !style.quotes ? fillString(piece, style) : piece
  }

  const fillString = (string: string, { escapes }: FillStyle): string => {
    const quote = string[0] as Quote
    const parts = string.split('?')
    return parts.reduce((filled, part) => {
      if (isCut) return filled
      const value = place((given) => (escapes ? escaped(bareText(given), quote) : bareText(given)))
      return isCut ? filled : filled + value + part
    })
  }

  return {
    fill(pattern, style) {
      let filled = ''
      let copied = 0
      for (const { 0: piece, index } of pattern.matchAll(pieces)) {
        if (isCut) return filled
        filled += pattern.slice(copied, index)
        filled += fillPiece(piece, style, filled)
        copied = index + piece.length
      }
      return isCut ? filled : filled + pattern.slice(copied)
    },
    finish() {
      if (ordered.length > used) throw tooManyParameters({ given: ordered.length, places: used })
    },
  }
}

/** A place for a parameter, as it stands in a pattern. */
export interface PatternPlace {
  readonly start: number
  readonly end: number
}

/** The places of a pattern outside its strings. */
export function placesOf(pattern: string): readonly PatternPlace[] {
  return [...pattern.matchAll(pieces)].flatMap(({ 0: piece, index }) =>
    piece === '?' || piece.startsWith(':') ? [{ start: index, end: index + piece.length }] : [],
  )
}

function writeValue(value: PropertyValue, style: FillStyle, isInParentheses: boolean): string {
  if (!Array.isArray(value)) return writeScalar(value, style)
  const literals = value.map((item) => writeScalar(item, style))
  return isInParentheses ? literals.join(', ') : listed(literals)
}

function writeScalar(value: PropertyValue, { quotes, escapes }: FillStyle): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  const text = bareText(value)
  if (quotes) return escapes ? quoted(text) : `'${text}'`
  return escapes ? escaped(text, "'") : text
}

function bareText(value: PropertyValue): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map(bareText).join(', ')
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}
