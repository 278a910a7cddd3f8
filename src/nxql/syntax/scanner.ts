import { parseLong } from '../../model/properties/long.ts'
import { defineMistake } from '../mistake.ts'
import { invalidToken } from './invalid-token.ts'
import { type Keyword, keywords, type QueryToken, signs } from './tokens.ts'
import type { Hint } from './tree.ts'

const illegalCharacter = defineMistake(
  'illegalCharacter',
  ({ character, offset }: { character: string; offset: number }) =>
    `Lexical Error: Illegal character <${character}> at offset ${offset}`,
)

function refuseCharacter(text: string, offset: number) {
  return illegalCharacter({ character: String.fromCodePoint(text.codePointAt(offset) ?? 0), offset })
}

const opening = /\/\*\+\s*ES:/iy

const identifier = String.raw`\s*[\w$:.^/@-]+\s*`
const wholeHint = new RegExp(
  [
    opening.source,
    String.raw`(?:\s*INDEX\s*\((${identifier}(?:,${identifier})*)\))?`,
    String.raw`(?:\s*ANALYZER\s*\((${identifier})\))?`,
    String.raw`(?:\s*OPERATOR\s*\((${identifier})\))?`,
    String.raw`\s*\*\/`,
  ].join(''),
  'iy',
)

/** Whether a hint begins here. Any other comment is none: NXQL has no comments. */
function isHint(text: string, offset: number): boolean {
  opening.lastIndex = offset
  return opening.test(text)
}

/** @throws illegalCharacter when what follows is not INDEX, ANALYZER and OPERATOR in this order, each at most once. */
function scanHint(text: string, offset: number): { readonly hint: Hint; readonly end: number } {
  wholeHint.lastIndex = offset
  const found = wholeHint.exec(text)
  if (found === null) throw refuseCharacter(text, offset)
  const [, fields, analyzer, operator] = found
  const hint = {
    fields: fields?.split(',').map((field) => field.trim()) ?? [],
    ...(analyzer !== undefined && { analyzer: analyzer.trim() }),
    ...(operator !== undefined && { operator: operator.trim() }),
  }
  return { hint, end: wholeHint.lastIndex }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['r', '\r'],
  ['\\', '\\'],
])

/**
 * Reads a string from its opening quote on. A backslash before anything but `t n r \` and the string's own quote stays.
 * @throws illegalCharacter at a line break, or at the opening quote when no closing one follows.
 */
export function scanString(text: string, offset: number): { readonly value: string; readonly end: number } {
  const quote = text[offset]
  let value = ''
  // Whole stretches between escapes are copied: a character at a time, a long string would become a rope of ropes.
  let copied = offset + 1
  for (let at = copied; at < text.length; at++) {
    const character = text[at]
    if (character === quote) return { value: value + text.slice(copied, at), end: at + 1 }
    if (character === '\n' || character === '\r') throw refuseCharacter(text, at)
    if (character !== '\\') continue
    const next = text[at + 1] ?? ''
    const meant = next === quote ? quote : escapes.get(next)
    if (meant === undefined) continue
    value += text.slice(copied, at) + meant
    at++
    copied = at + 1
  }
  throw refuseCharacter(text, offset)
}

const blank = /[ \t\f\r\n]*/y
const name = /[A-Za-z_$][\w:.-]*/y
const secondWord = /[ \t\f\r\n]+BY(?![\w:.$-])/iy
const index = String.raw`(?:\*(?:0|[1-9]\d*)?|0|[1-9]\d*)`
const pathStep = new RegExp(String.raw`/(?:[A-Za-z_$][\w:.-]*(?:\[${index}\])?|${index})`, 'y')
const number = /-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const integerShape = /^-?(?:0|[1-9]\d*)$/

const reserved: ReadonlySet<string> = new Set(keywords)

/**
 * The token that begins at the offset or behind the white space there. Each pattern looks at a character once, so that a
 * text is scanned in time proportional to its length, whatever it holds.
 * @throws illegalCharacter where no token can begin; invalidToken for a number beyond the range of its type.
 */
export function scanToken(text: string, from: number): QueryToken {
  const offset = skip(blank, text, from)
  const first = text[offset]
  if (first === undefined) return { kind: 'end', text: 'EOF', offset, end: offset }
  if (first === "'" || first === '"') return scannedString(text, offset)
  if (first === '/' && isHint(text, offset)) {
    const { hint, end } = scanHint(text, offset)
    return { kind: 'hint', hint, text: text.slice(offset, end), offset, end }
  }
  return scanWord(text, offset) ?? scanNumber(text, offset) ?? scanSign(text, offset)
}

function scannedString(text: string, offset: number): QueryToken {
  const { value, end } = scanString(text, offset)
  return { kind: 'string', value, text: text.slice(offset, end), offset, end }
}

function scanWord(text: string, offset: number): QueryToken | undefined {
  const endOfName = skip(name, text, offset)
  if (endOfName === offset) return undefined
  const endOfPath = skipSteps(text, endOfName)
  if (endOfPath > endOfName) return { kind: 'path', text: text.slice(offset, endOfPath), offset, end: endOfPath }
  const word = text.slice(offset, endOfName)
  const keyword = findKeyword(word)
  if (keyword !== undefined) return { kind: 'keyword', keyword, text: word, offset, end: endOfName }
  return scanPair(text, word, offset, endOfName) ?? { kind: 'name', text: word, offset, end: endOfName }
}

function skipSteps(text: string, from: number): number {
  let end = from
  for (let next = skip(pathStep, text, end); next > end; next = skip(pathStep, text, end)) end = next
  return end
}

/** `ORDER BY` and `GROUP BY` are one token each: alone, `order` and `group` are names like any other. */
function scanPair(text: string, word: string, offset: number, endOfName: number): QueryToken | undefined {
  const keyword = findKeyword(`${word} BY`)
  const end = keyword === undefined ? endOfName : skip(secondWord, text, endOfName)
  if (keyword === undefined || end === endOfName) return undefined
  return { kind: 'keyword', keyword, text: text.slice(offset, end), offset, end }
}

function findKeyword(word: string): Keyword | undefined {
  const upper = word.toUpperCase()
  return reserved.has(upper) ? (upper as Keyword) : undefined
}

function scanNumber(text: string, offset: number): QueryToken | undefined {
  const end = skip(number, text, offset)
  if (end === offset) return undefined
  const written = text.slice(offset, end)
  const span = { text: written, offset, end }
  if (integerShape.test(written)) {
    const value = parseLong(written)
    if (value === undefined) throw invalidToken({ token: written, offset })
    return { kind: 'integer', value, ...span }
  }
  const value = Number(written)
  if (!Number.isFinite(value)) throw invalidToken({ token: written, offset })
  return { kind: 'double', value, ...span }
}

function scanSign(text: string, offset: number): QueryToken {
  const sign = signs.find((one) => text.startsWith(one, offset))
  if (sign === undefined) throw refuseCharacter(text, offset)
  return { kind: 'sign', sign, text: sign, offset, end: offset + sign.length }
}

/** Where a sticky pattern ends, or the offset itself when it does not match there. */
export function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset
  return pattern.test(text) ? pattern.lastIndex : offset
}
