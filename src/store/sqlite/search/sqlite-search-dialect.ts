import sql, { raw, type Sql } from 'sql-template-tag'
import { stringifyJson } from '../../../base/json.ts'
import { type Long, toLong } from '../../../model/properties/long.ts'
import { soughtWords } from '../../../nxql/fulltext/fulltext-expression.ts'
import type { LikePiece } from '../../../nxql/like-pattern.ts'
import { lineOf } from '../../sql/documents/document-index.ts'
import { quoted } from '../../sql/quoted.ts'
import type { JsonPlace, SearchDialect } from '../../sql/search/search-dialect.ts'
import type { SearchRun } from '../../sql/search/search-run.ts'
import { isInList, listOf } from '../number-list.ts'
import { matchExpression } from './match-expression.ts'

/** What SQLite has no function for is in search-functions.ts. */
export const sqliteSearchDialect: SearchDialect = {
  text: (place) => sql`CAST(${scalar(place)} AS TEXT)`,
  number: (place) => scalarOfType(place, "'integer', 'real'"),
  flag: (place) => scalarOfType(place, "'true', 'false'"),
  items: (list, alias) => sql`json_each(${argumentsFor(list)}) AS ${raw(alias)}`,
  position: (alias) => raw(`${alias}.key`),
  isThere: (alias) => raw(`${alias}.type <> 'null'`),
  ownAces: raw(`CASE WHEN documents.acls IS NOT NULL THEN (
    SELECT json_group_array(json_set(ace.value, '$.acl', acl.value ->> 'name'))
      FROM json_each(documents.acls) AS acl CROSS JOIN json_each(acl.value, '$.aces') AS ace) END`),
  indexedValues: (name) => sql`(
    SELECT json_group_array(indexed.value) FROM document_values AS indexed WHERE indexed.name = ${name} AND indexed.seq = documents.seq)`,
  numeric: (value) => sql`${boundNumber(value)}`,
  isReadable,
  oneOfNumerics: (values) => sql`IN (SELECT value FROM json_each(${stringifyJson(values)}))`,
  hasAnyItem: (list, values) => sql`EXISTS (
    SELECT 1 FROM json_each(${list}) AS own WHERE own.value IN (SELECT value FROM json_each(${JSON.stringify(values)})))`,
  plansBlindly: true,
  // A plus sign would do, but for an index of what is not null, from which it would not hide that this is not.
  notByIndex: (expression) => sql`coalesce(${expression}, NULL)`,
  like,
  matchesExpression: (text, expression) => sql`matches_expression(${text}, ${expression})`,
  lowered: (text) => sql`lower_case(${text})`,
  words: (text) => sql`words_of(${text})`,
  matching: (column, query) => sql`SELECT rowid AS seq FROM fulltext WHERE fulltext MATCH ${matchExpression(column, query)}`,
  matchesDocument: (column, query) =>
    sql`EXISTS (SELECT 1 FROM fulltext WHERE fulltext MATCH ${matchExpression(column, query)} AND fulltext.rowid = documents.seq)`,
  // In this order: SQLite does not know that a match brings fewer documents than there are.
  scored: (column, query) => sql`
    SELECT fulltext.rowid AS seq, relevance(word_counts.counts, ${lineOf(column)}, ${JSON.stringify(soughtWords(query))}) AS score
      FROM fulltext CROSS JOIN word_counts ON word_counts.seq = fulltext.rowid
     WHERE fulltext MATCH ${matchExpression(column, query)}`,
  exactSum: (number) => sql`exact_sum(${number})`,
  sum: (number) => sql`CASE WHEN count(${number}) > 0 THEN total(${number}) END`,
  floorTo: (number, width) => sql`floor(${number} / CAST(${width} AS REAL)) * ${width}`,
  pathSegment: (depth) => sql`path_segment(documents.path, ${depth})`,
}

function isReadable(column: Sql, acps: (run: SearchRun) => readonly number[], isLead: boolean): Sql {
  const list = (run: SearchRun) => listOf(acps(run))
  return isLead ? sql`${column} IN (SELECT item FROM temp.lists WHERE list = ${list})` : isInList(column, list)
}

function scalar(place: JsonPlace): Sql {
  return isItemItself(place) ? valueOfRoot(place) : sql`${jsonOfRoot(place)} ->> ${pathOf(place)}`
}

function scalarOfType(place: JsonPlace, types: string): Sql {
  return sql`CASE WHEN ${typeAt(place)} IN (${raw(types)}) THEN ${scalar(place)} END`
}

/** A list and the path to it; nothing where there is something else than a list. */
function argumentsFor(list: JsonPlace): Sql {
  const isList = sql`${typeAt(list)} = 'array'`
  return list.steps.length === 0
    ? sql`CASE WHEN ${isList} THEN ${valueOfRoot(list)} END`
    : sql`CASE WHEN ${isList} THEN ${jsonOfRoot(list)} END, ${pathOf(list)}`
}

function typeAt(place: JsonPlace): Sql {
  const { root, steps } = place
  if (steps.length > 0) return sql`json_type(${jsonOfRoot(place)}, ${pathOf(place)})`
  return root.kind === 'item' ? raw(`${root.alias}.type`) : sql`json_type(${root.json})`
}

function isItemItself({ root, steps }: JsonPlace): boolean {
  return root.kind === 'item' && steps.length === 0
}

function valueOfRoot({ root }: JsonPlace): Sql {
  return root.kind === 'item' ? raw(`${root.alias}.value`) : root.json
}

/** The value of an item is JSON only where it has parts. */
function jsonOfRoot({ root }: JsonPlace): Sql {
  if (root.kind === 'json') return root.json
  return raw(`CASE WHEN ${root.alias}.type IN ('object', 'array') THEN ${root.alias}.value END`)
}

function pathOf({ steps }: JsonPlace): Sql {
  const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `."${quoted(step).slice(1, -1)}"`))
  return raw(`'$${path.join('')}'`)
}

/** As the JSON of a document would have it: a number without a fraction is an integer, as far as an integer goes. */
function boundNumber(value: Long): number | bigint {
  if (typeof value === 'bigint' || !Number.isInteger(value) || Math.abs(value) >= 1e21) return value
  const integer = BigInt(String(value))
  return toLong(integer) === undefined ? value : integer
}

// SQLite refuses a pattern of more than 50,000 bytes, of which a character may take up to four, and in brackets two more.
const longestPattern = 8_000

// GLOB compares a long text again at each place where it may begin, and cannot be interrupted in the middle.
const longestSought = 40

/** GLOB minds the case, crosses line breaks and counts characters, not bytes; LIKE of SQLite ignores the case of some letters. */
function like(text: Sql, pattern: readonly LikePiece[]): Sql {
  const glob = pattern.map(globOf).join('')
  const isHard = pattern.length > 1 && pattern.some((piece) => piece.kind === 'text' && piece.text.length > longestSought)
  return isHard || glob.length > longestPattern
    ? sql`matches_like(${text}, ${JSON.stringify(pattern)})`
    : sql`${text} GLOB ${glob}`
}

function globOf(piece: LikePiece): string {
  if (piece.kind === 'text') return piece.text.replace(/[*?[]/g, '[$&]')
  return piece.kind === 'run' ? '*' : '?'
}
