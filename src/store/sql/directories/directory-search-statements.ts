import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { stringifyJson } from '../../../base/json.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import type { EntryOrder, EntrySearch, Matching } from '../../directories.ts'
import { cutTerm } from '../../directory-terms.ts'
import { mayBeStored, mayBeStoredAsJson } from '../../storable-text.ts'
import type { Dialect } from '../dialect.ts'
import { quoted } from '../quoted.ts'
import { hasTerm } from './term-pattern.ts'

/** Served by the primary keys: ranges of directory_terms for what is looked for, and a look-up for each entry found. */
export const foundEntries = (dialect: Dialect, search: EntrySearch) => sql`
  SELECT entries.id, entries.entry
    FROM directory_entries AS entries
   WHERE ${conditions(dialect, search)}
   ORDER BY ${join([...search.order.flatMap((order) => keysOf(dialect, search.directory, order)), idOrder(search.order, 'entries')])}
   LIMIT ${search.limit} OFFSET ${search.offset}`

/**
 * A page of a directory in which every entry has a term of the field that comes first in the order: its primary key has them in it.
 * @param among the first and the last term of the page, where they are known: then others are not looked at, and do not count
 */
export const entriesByTerm = (
  dialect: Dialect,
  search: EntrySearch,
  first: EntryOrder,
  others: readonly EntryOrder[],
  among?: { readonly first: string; readonly last: string },
) => sql`
  SELECT entries.id, entries.entry
    FROM directory_terms AS terms CROSS JOIN directory_entries AS entries
   WHERE ${conditions(dialect, search)}
     AND terms.directory = ${search.directory} AND terms.field = ${first.field} AND terms.id = entries.id
     ${among === undefined ? empty : betweenTerms(first, among)}
   ORDER BY ${join([
     sql`terms.term ${directionOf(first)}`,
     ...others.flatMap((order) => keysOf(dialect, search.directory, order)),
     idOrder(search.order, 'terms'),
   ])}
   LIMIT ${search.limit} OFFSET ${search.offset}`

function betweenTerms({ isAscending }: EntryOrder, { first, last }: { readonly first: string; readonly last: string }): Sql {
  return sql`AND terms.term BETWEEN ${isAscending ? first : last} AND ${isAscending ? last : first}`
}

/** Where an entry stands in the order of a field. */
export interface TermKey {
  readonly term: string
  readonly id: string
}

interface KeyWindow {
  readonly after: TermKey | undefined
  readonly offset: number
  readonly limit: number
}

/** Served by the primary key of the terms, which has all that is asked for. */
export const termKeys = (directory: string, order: EntryOrder, { after, offset, limit }: KeyWindow) => sql`
  SELECT term, id FROM directory_terms
   WHERE directory = ${directory} AND field = ${order.field}
     ${after === undefined ? empty : sql`AND (term, id) ${raw(order.isAscending ? '>' : '<')} (${after.term}, ${after.id})`}
   ORDER BY term ${directionOf(order)}, id ${directionOf(order)} LIMIT ${limit} OFFSET ${offset}`

/** Served by the same: how many of the term of a key come before it. */
export const keysOfTermBefore = (directory: string, { field, isAscending }: EntryOrder, { term, id }: TermKey) => sql`
  SELECT count(*) FROM directory_terms
   WHERE directory = ${directory} AND field = ${field} AND term = ${term} AND id ${raw(isAscending ? '<' : '>')} ${id}`

/** Served by the primary key: the entry that comes so many after an id. */
export const entryBehind = (directory: string, after: string | undefined, count: number) => sql`
  SELECT id FROM directory_entries WHERE ${comesAfter(directory, after)} ORDER BY id LIMIT 1 OFFSET ${count - 1}`

/** Served by the same: how many entries come after an id. */
export const entriesBehind = (directory: string, after: string | undefined) => sql`
  SELECT count(*) FROM directory_entries WHERE ${comesAfter(directory, after)}`

function comesAfter(directory: string, after: string | undefined): Sql {
  return sql`directory = ${directory} ${after === undefined ? empty : sql`AND id > ${after}`}`
}

/** Served as the page is. What matches a pattern is counted by its terms, and reads no entry. */
export const entryCount = (dialect: Dialect, search: EntrySearch) => {
  const { directory, matching, countLimit } = search
  const limited = countLimit === undefined ? empty : sql`LIMIT ${countLimit + 1}`
  const counted =
    matching !== undefined && isNothingElseAsked(search)
      ? sql`SELECT 1 FROM (${matchingIds(dialect, directory, matching, limited)}) AS found ${limited}`
      : sql`SELECT 1 FROM directory_entries AS entries WHERE ${conditions(dialect, search)} ${limited}`
  return sql`SELECT count(*) FROM (${counted}) AS counted`
}

/** But for what is matched. */
export function isNothingElseAsked({ alsoMatching = [], referredTo, equal, terms }: EntrySearch): boolean {
  return alsoMatching.length === 0 && referredTo === undefined && equal === undefined && terms === undefined
}

function conditions(dialect: Dialect, search: EntrySearch): Sql {
  const { directory, matching, alsoMatching = [], referredTo, equal = {}, terms = {} } = search
  const patterns = [...(matching === undefined ? [] : [matching]), ...alsoMatching]
  const all = [
    dialect.inTime(raw('entries.id')),
    sql`entries.directory = ${directory}`,
    ...patterns.map((one) => sql`entries.id IN (${matchingIds(dialect, directory, one, empty)})`),
    ...(referredTo === undefined ? [] : [sql`entries.id IN (${idsReferredTo(dialect, referredTo)})`]),
    ...Object.entries(terms).map(([field, term]) => sql`entries.id IN (${idsWithTerm(directory, field, term)})`),
    ...Object.entries(equal).map(([field, value]) => hasValue(dialect, field, value)),
  ]
  return join(all, ' AND ')
}

const noIds = raw('SELECT id FROM directory_terms WHERE FALSE')

/** The first of each field are enough to count that many. */
function matchingIds(dialect: Dialect, directory: string, { fields, pattern }: Matching, limited: Sql): Sql {
  if (fields.length === 0) return noIds
  const parts = fields.map(
    (field, index) => sql`
      SELECT id FROM (
        SELECT id FROM directory_terms
         WHERE ${dialect.inTime(raw('term'))} AND directory = ${directory} AND field = ${field} AND ${hasTerm(dialect, raw('term'), pattern)}
         ${limited}) AS ${raw(`part${index}`)}`,
  )
  return join(parts, ' UNION ')
}

/** Served by the primary key of the references. */
function idsReferredTo(dialect: Dialect, { reference, by: named }: NonNullable<EntrySearch['referredTo']>): Sql {
  const by = named.filter(mayBeStored)
  return sql`SELECT target_id FROM directory_references WHERE reference = ${reference} AND source_id ${dialect.oneOfTexts(by)}`
}

function idsWithTerm(directory: string, field: string, term: string): Sql {
  if (!mayBeStored(term)) return noIds
  return sql`SELECT id FROM directory_terms WHERE directory = ${directory} AND field = ${field} AND term = ${cutTerm(term)}`
}

/** A field that is not there is null. */
function hasValue({ engine }: Dialect, field: string, value: PropertyValue): Sql {
  const key = raw(quoted(field))
  if (value === null) return sql`entries.entry ->> ${key} IS NULL`
  const json = stringifyJson(value)
  if (!mayBeStoredAsJson(json)) return raw('FALSE')
  return engine === 'sqlite' ? sql`entries.entry -> ${key} = ${json}` : sql`entries.entry -> ${key} = ${json}::jsonb`
}

/** Numbers by their size, all else by its term or, where there is none, by its text. */
function keysOf(dialect: Dialect, directory: string, order: EntryOrder): readonly Sql[] {
  const { field, isAscending } = order
  const term = sql`(
    SELECT own.term FROM directory_terms AS own
     WHERE own.directory = ${directory} AND own.id = entries.id AND own.field = ${field})`
  const text = dialect.byCodePoint(sql`coalesce(${term}, entries.entry ->> ${raw(quoted(field))})`)
  const nulls = raw(isAscending ? 'NULLS FIRST' : 'NULLS LAST')
  return [dialect.jsonNumber('entries.entry', field), text].map((key) => sql`${key} ${directionOf(order)} ${nulls}`)
}

/** Goes the way of the last key, so that an index read backwards still serves. */
function idOrder(order: readonly EntryOrder[], table: string): Sql {
  const last = order.at(-1)
  return sql`${raw(`${table}.id`)} ${last === undefined ? raw('ASC') : directionOf(last)}`
}

function directionOf({ isAscending }: EntryOrder): Sql {
  return raw(isAscending ? 'ASC' : 'DESC')
}
