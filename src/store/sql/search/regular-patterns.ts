import type { LikePiece } from '../../../nxql/like-pattern.ts'

// Most texts that an expression may be expanded to; beyond that, a full-text query is the better choice.
const maxPatterns = 200

/**
 * The patterns that together match what a regular expression does: letters, `.`, `.*`, `.+`, `x?`, `[abc]`, `(a|b)` and a backslash
 * before a sign. None for an expression that says more than that. A database could run the expression itself, but not every one in
 * bounded time, and not both databases the same.
 */
export function patternsOfExpression(expression: string): readonly (readonly LikePiece[])[] {
  const reader = { rest: Array.from(expression) }
  const found = readAlternatives(reader)
  return found === undefined || reader.rest.length > 0 ? [] : found.map(joined)
}

type Pattern = readonly LikePiece[]
interface Reader {
  readonly rest: string[]
}

function readAlternatives(reader: Reader): readonly Pattern[] | undefined {
  const found: Pattern[] = []
  do {
    const sequence = readSequence(reader)
    if (sequence === undefined || found.push(...sequence) > maxPatterns) return undefined
  } while (take(reader, '|'))
  return found
}

function readSequence(reader: Reader): readonly Pattern[] | undefined {
  let found: readonly Pattern[] = [[]]
  while (reader.rest.length > 0 && reader.rest[0] !== '|' && reader.rest[0] !== ')') {
    const part = readPart(reader)
    if (part === undefined || found.length * part.length > maxPatterns) return undefined
    found = found.flatMap((start) => part.map((end) => [...start, ...end]))
  }
  return found
}

function readPart(reader: Reader): readonly Pattern[] | undefined {
  const isAny = reader.rest[0] === '.'
  const atom = readAtom(reader)
  if (atom === undefined || take(reader, '{')) return undefined
  if (take(reader, '?')) return [[], ...atom]
  if (isAny && take(reader, '*')) return [[{ kind: 'run' }]]
  if (isAny && take(reader, '+')) return [[{ kind: 'one' }, { kind: 'run' }]]
  return reader.rest[0] === '*' || reader.rest[0] === '+' ? undefined : atom
}

function readAtom(reader: Reader): readonly Pattern[] | undefined {
  const first = reader.rest.shift()
  switch (first) {
    case '.':
      return [[{ kind: 'one' }]]
    case '(': {
      const found = readAlternatives(reader)
      return take(reader, ')') ? found : undefined
    }
    case '[':
      return readClass(reader)
    case '\\':
      return letter(reader.rest.shift())
    case '*':
    case '+':
    case '?':
    case '{':
      return undefined
    default:
      return letter(first)
  }
}

function readClass(reader: Reader): readonly Pattern[] | undefined {
  const found: Pattern[] = []
  for (let one = reader.rest.shift(); one !== ']'; one = reader.rest.shift()) {
    if (one === undefined || one === '-' || (one === '^' && found.length === 0)) return undefined
    found.push([{ kind: 'text', text: one }])
  }
  return found
}

function letter(text: string | undefined): readonly Pattern[] | undefined {
  return text === undefined ? undefined : [[{ kind: 'text', text }]]
}

function take(reader: Reader, sign: string): boolean {
  const isThere = reader.rest[0] === sign
  if (isThere) reader.rest.shift()
  return isThere
}

/** Neighbouring texts as one. */
function joined(pattern: Pattern): Pattern {
  const pieces: LikePiece[] = []
  for (const piece of pattern) {
    const last = pieces.at(-1)
    if (piece.kind === 'text' && last?.kind === 'text') pieces[pieces.length - 1] = { kind: 'text', text: last.text + piece.text }
    else pieces.push(piece)
  }
  return pieces
}
