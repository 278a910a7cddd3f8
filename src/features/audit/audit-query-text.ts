import { defineProblem } from '../../base/problem.ts'
import type { Sort } from '../../core/search/query/sort.ts'
import { storableText } from '../../store/storable-text.ts'
import { parseAuditDate } from './audit-filter.ts'
import { type AuditFilter, everyEntry } from './audit-query.ts'

/** A query of the log, read. */
export interface ParsedAuditQuery {
  readonly filter: AuditFilter
  /** None: the newest first. */
  readonly sort: readonly Sort[]
}

export const auditQueryWrong = defineProblem(
  'auditQueryWrong',
  'invalid',
  (of: { part: string }) =>
    `The query of the audit log is not understood at: ${of.part.slice(0, 80)}. Write conditions such as log.eventId = 'documentCreated', ` +
    "log.principalName IN ('ann', 'bob') or log.eventDate >= '2026-03-02', joined by AND, and ORDER BY behind them.",
)

const maxQueryLength = 10_000
const maxListed = 100

const head = /^\s*(?:select\s+\w+\s+)?(?:from\s+LogEntry(?:\s+(?:as\s+)?\w+)?\s*)?(?:where\s+|(?=order\s+by\b)|$)/i
const token = /\s*(?:'((?:[^']|'')*)'|(\{d\s*'?\d{4}-\d{2}-\d{2}'?\})|:(\w+)|(<=|>=|=|\(|\)|,)|([\w.]+))/y

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'sign'; readonly text: string }

/** Fields that can be asked for one value or several. */
const listed = { eventId: 'eventIds', category: 'categories', principalName: 'principalNames' } as const
/** Fields that can be asked for one value. */
const single = { docType: 'docType', docPath: 'docPath', repositoryId: 'repositoryId' } as const

/**
 * Reads `log.eventId = 'x' AND log.eventDate >= '2026-03-02' ORDER BY log.eventDate DESC`, with or without `FROM LogEntry log WHERE`
 * before it. `:name` stands for one of the values. @throws auditQueryWrong, invalidAuditDate
 */
export function readAuditQuery(query: string, values: { readonly [name: string]: unknown }): ParsedAuditQuery {
  if (query.length > maxQueryLength) throw auditQueryWrong({ part: query })
  const tokens = tokensOf(query.replace(head, ''), values)
  const reader = createTokenReader(tokens)
  let filter: AuditFilter = everyEntry
  if (!reader.isAtEnd() && !reader.isWord('order')) {
    do filter = withCondition(filter, reader)
    while (reader.takeWord('and'))
  }
  const sort = reader.takeWord('order') ? orderIn(reader) : []
  if (!reader.isAtEnd()) throw reader.wrong()
  return { filter, sort }
}

function tokensOf(text: string, values: { readonly [name: string]: unknown }): readonly Token[] {
  const tokens: Token[] = []
  const pattern = new RegExp(token)
  while (pattern.lastIndex < text.trimEnd().length) {
    const start = pattern.lastIndex
    const found = pattern.exec(text)
    if (found === null) throw auditQueryWrong({ part: text.slice(start).trim() })
    const [, quoted, day, name, sign, word] = found
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replaceAll("''", "'") })
    else if (day !== undefined) tokens.push({ kind: 'text', text: dayIn(day) })
    else if (name !== undefined) tokens.push({ kind: 'text', text: valueNamed(values, name) })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else tokens.push({ kind: 'word', text: word ?? '' })
  }
  return tokens
}

function valueNamed(values: { readonly [name: string]: unknown }, name: string): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  if (typeof value !== 'string') throw auditQueryWrong({ part: `:${name}, for which no text was sent` })
  return value.startsWith('{d') ? dayIn(value) : value
}

function dayIn(text: string): string {
  return /\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? text
}

interface TokenReader {
  isAtEnd(): boolean
  isWord(word: string): boolean
  takeWord(word: string): boolean
  takeSign(...signs: readonly string[]): string
  isSign(sign: string): boolean
  takeText(): string
  /** The name of a field, without what stands before its dot. */
  takeField(): string
  wrong(): Error
}

function createTokenReader(tokens: readonly Token[]): TokenReader {
  let at = 0
  const wrong = () =>
    auditQueryWrong({
      part:
        tokens
          .slice(at)
          .map(({ text }) => text)
          .join(' ') || 'its end',
    })
  const take = (kind: Token['kind']): string => {
    const next = tokens[at]
    if (next?.kind !== kind) throw wrong()
    at += 1
    return next.text
  }
  const isWord = (word: string) => tokens[at]?.kind === 'word' && tokens[at]?.text.toLowerCase() === word
  const isSign = (sign: string) => tokens[at]?.kind === 'sign' && tokens[at]?.text === sign
  return {
    wrong,
    isAtEnd: () => at === tokens.length,
    isWord,
    isSign,
    takeWord(word) {
      if (!isWord(word)) return false
      at += 1
      return true
    },
    takeSign(...signs) {
      if (!signs.some(isSign)) throw wrong()
      return take('sign')
    },
    takeText: () => take('text'),
    takeField: () => take('word').replace(/^\w+\./, ''),
  }
}

function withCondition(filter: AuditFilter, reader: TokenReader): AuditFilter {
  const field = reader.takeField()
  if (Object.hasOwn(listed, field)) {
    const name = listed[field as keyof typeof listed]
    if (filter[name].length > 0) throw reader.wrong()
    return { ...filter, [name]: valuesIn(reader) }
  }
  if (Object.hasOwn(single, field) || field === 'docUUID') {
    reader.takeSign('=')
    const value = storableText(reader.takeText())
    return field === 'docUUID' ? { ...filter, sources: [{ documentId: value }] } : { ...filter, [field]: value }
  }
  if (field !== 'eventDate') throw reader.wrong()
  const sign = reader.takeSign('<=', '>=')
  return { ...filter, [sign === '>=' ? 'from' : 'to']: parseAuditDate('eventDate', reader.takeText()) }
}

function valuesIn(reader: TokenReader): readonly string[] {
  if (!reader.takeWord('in')) {
    reader.takeSign('=')
    return [storableText(reader.takeText())]
  }
  reader.takeSign('(')
  const values: string[] = []
  do values.push(storableText(reader.takeText()))
  while (reader.takeSign(',', ')') === ',')
  if (values.length > maxListed)
    throw auditQueryWrong({ part: `a list of ${values.length} values, of which ${maxListed} are allowed` })
  return values
}

function orderIn(reader: TokenReader): readonly Sort[] {
  if (!reader.takeWord('by')) throw reader.wrong()
  const sort: Sort[] = []
  do {
    const column = reader.takeField()
    const descends = reader.takeWord('desc')
    if (!descends) reader.takeWord('asc')
    sort.push({ column, isAscending: !descends })
  } while (reader.isSign(',') && reader.takeSign(','))
  return sort
}
