import sql, { raw } from 'sql-template-tag'
import type { DirectoryEntry } from '../../directories.ts'
import { cutTerm, longestTerm } from '../../directory-terms.ts'
import { entryIdTooLong } from '../../problems.ts'
import { storableJson, storableText } from '../../storable-text.ts'
import type { Dialect } from '../dialect.ts'
import { fixed } from '../fixed-statement.ts'

/** Served by the primary key. */
export const entryById = (directory: string, id: string) =>
  sql`SELECT id, entry FROM directory_entries WHERE directory = ${directory} AND id = ${id}`

/** Served by the primary key, a look-up for each. */
export const entriesById = (dialect: Dialect, directory: string, ids: readonly string[]) =>
  sql`SELECT id, entry FROM directory_entries WHERE directory = ${directory} AND id ${dialect.oneOfTexts(ids)}`

/** Served by the primary key. */
export const entriesOf = (directory: string) =>
  sql`SELECT id, entry FROM directory_entries WHERE directory = ${directory} ORDER BY id`

/** Served by the primary key. */
export const entriesAfter = (directory: string, after: string, limit: number) =>
  sql`SELECT id, entry FROM directory_entries WHERE directory = ${directory} AND id > ${after} ORDER BY id LIMIT ${limit}`

/** Served by the primary key. */
export const anyEntryOf = (directory: string) => sql`SELECT 1 FROM directory_entries WHERE directory = ${directory} LIMIT 1`

export const insertEntry = (directory: string, { id, values }: DirectoryEntry) => sql`
  INSERT INTO directory_entries (directory, id, entry)
  VALUES (${directory}, ${storableId(id, longestId)}, ${storableJson(values)})
  ON CONFLICT (directory, id) DO NOTHING`

/** `WHERE` tells SQLite that what follows is no condition of a join. */
export const insertEntries = (dialect: Dialect, directory: string, entries: readonly DirectoryEntry[]) => sql`
  INSERT INTO directory_entries (directory, id, entry)
  SELECT ${directory}, first, CAST(second AS ${raw(dialect.columns.json)})
  FROM ${dialect.textPairs(entries.map(({ id, values }) => [storableId(id, longestId), storableJson(values)]))}
  WHERE TRUE
  ON CONFLICT (directory, id) DO NOTHING
  RETURNING id`

/** Served by the primary key. */
export const updateEntry = (directory: string, { id, values }: DirectoryEntry) =>
  sql`UPDATE directory_entries SET entry = ${storableJson(values)} WHERE directory = ${directory} AND id = ${id}`

/** Served by the primary key. */
export const deleteEntry = (directory: string, id: string) =>
  sql`DELETE FROM directory_entries WHERE directory = ${directory} AND id = ${id}`

/** Served by the primary key, a look-up for each. */
export const deleteEntries = (dialect: Dialect, directory: string, ids: readonly string[]) =>
  sql`DELETE FROM directory_entries WHERE directory = ${directory} AND id ${dialect.oneOfTexts(ids)}`

export const insertTerms = (
  dialect: Dialect,
  directory: string,
  id: string,
  terms: readonly (readonly [string, string])[],
) => sql`
  INSERT INTO directory_terms (directory, field, term, id)
  SELECT ${directory}, first, second, ${storableId(id)} FROM ${dialect.textPairs(terms.map(([field, term]) => [field, storableTerm(term)]))}`

/** The terms of one field of many entries. */
export const insertTermsOfField = (
  dialect: Dialect,
  directory: string,
  field: string,
  terms: readonly (readonly [id: string, term: string])[],
) => sql`
  INSERT INTO directory_terms (directory, field, term, id)
  SELECT ${directory}, ${field}, second, first FROM ${dialect.textPairs(terms.map(([id, term]) => [id, storableTerm(term)]))}`

/** Served by directory_terms_by_entry. */
export const deleteTerms = (dialect: Dialect, directory: string, ids: readonly string[]) =>
  sql`DELETE FROM directory_terms WHERE directory = ${directory} AND id ${dialect.oneOfTexts(ids)}`

/** Served by the primary key. */
export const deleteAllTerms = (directory: string) => sql`DELETE FROM directory_terms WHERE directory = ${directory}`

/** Served by the primary key. */
export const indexedFields = (directory: string) => sql`SELECT fields FROM indexed_directories WHERE directory = ${directory}`

export const allIndexedFields = sql`SELECT directory, fields FROM indexed_directories`

export const noteIndexedFields = (dialect: Dialect, fields: ReadonlyMap<string, readonly string[]>) => sql`
  INSERT INTO indexed_directories (directory, fields)
  SELECT first, second FROM ${dialect.textPairs([...fields].map(([directory, some]) => [directory, JSON.stringify(some)]))}`

export const setIndexedFields = (directory: string, fields: readonly string[]) => sql`
  INSERT INTO indexed_directories (directory, fields) VALUES (${directory}, ${JSON.stringify(fields)})
  ON CONFLICT (directory) DO UPDATE SET fields = excluded.fields`

export const nextNumber = (directory: string) => sql`
  INSERT INTO directory_counters (directory, last) VALUES (${directory}, 1)
  ON CONFLICT (directory) DO UPDATE SET last = directory_counters.last + 1
  RETURNING last`

/** Served by the primary key. A counter never goes back. */
export const countFrom = (directory: string, last: number) => sql`
  INSERT INTO directory_counters (directory, last) VALUES (${directory}, ${last})
  ON CONFLICT (directory) DO UPDATE SET last = excluded.last WHERE directory_counters.last < excluded.last`

/** Served by the primary key. */
export const directoryGeneration = fixed<[]>(sql`SELECT value FROM generations WHERE name = 'directories'`)()

/** Served by the primary key. */
export const raiseDirectoryGeneration = raw("UPDATE generations SET value = value + 1 WHERE name = 'directories'")

/** Served by the primary key. There is no row before the first change. */
export const membershipGeneration = fixed<[]>(sql`SELECT value FROM generations WHERE name = 'memberships'`)()

export const raiseMembershipGeneration = raw(`
  INSERT INTO generations (name, value) VALUES ('memberships', 1) ON CONFLICT (name) DO UPDATE SET value = generations.value + 1`)

/** Of entries that nothing finds but their id, such as the notes of ACLs, whose ids hold the names of two users. */
const longestId = 2 * longestTerm

/** The id of an entry that is searched or referred to. @throws entryIdTooLong, unstorableText */
export function storableId(id: string, longest = longestTerm): string {
  if (id.length > longest) throw entryIdTooLong({ id, longest })
  return storableText(id)
}

/** What cannot be stored of a value is refused with the value itself. */
function storableTerm(term: string): string {
  return storableText(cutTerm(term))
}
