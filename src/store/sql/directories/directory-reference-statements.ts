import sql, { raw, type Sql } from 'sql-template-tag'
import { cutTerm, foldTerm } from '../../directory-terms.ts'
import type { Dialect } from '../dialect.ts'
import { storableId } from './directory-statements.ts'
import { hasTerm } from './term-pattern.ts'

/** Served by the primary key. */
export const targetsOf = (reference: string, sourceId: string) =>
  sql`SELECT target_id FROM directory_references WHERE reference = ${reference} AND source_id = ${sourceId} ORDER BY pos`

/** Served by the primary key, which has the order, or for a prefix by directory_references_by_term. */
export const targetPage = (
  dialect: Dialect,
  reference: string,
  sourceId: string,
  prefix: string,
  limit: number,
  offset: number,
) =>
  sql`
  SELECT target_id FROM directory_references WHERE ${targetsBeginning(dialect, reference, sourceId, prefix)}
   ORDER BY pos LIMIT ${limit} OFFSET ${offset}`

/** Served by directory_references_by_term alone. */
export const targetCount = (dialect: Dialect, reference: string, sourceId: string, prefix: string) =>
  sql`SELECT count(*) FROM directory_references WHERE ${targetsBeginning(dialect, reference, sourceId, prefix)}`

/** Served by directory_references_by_target. */
export const sourcesOf = (reference: string, targetId: string) =>
  sql`SELECT source_id FROM directory_references WHERE reference = ${reference} AND target_id = ${targetId} ORDER BY source_id`

/** Served by directory_references_by_target, a look-up for each entry on the way up. */
export const allSourcesOf = (dialect: Dialect, reference: string, above: string, targetIds: readonly string[]) => sql`
  WITH RECURSIVE direct (id) AS (
    SELECT source_id FROM directory_references WHERE reference = ${reference} AND target_id ${dialect.oneOfTexts(targetIds)}
  ), every (id) AS (
    SELECT id FROM direct
    UNION
    SELECT higher.source_id
      FROM every CROSS JOIN directory_references AS higher
     WHERE higher.reference = ${above} AND higher.target_id = every.id
  )
  SELECT id FROM every ORDER BY CASE WHEN id IN (SELECT id FROM direct) THEN 0 ELSE 1 END, id`

/**
 * Served by directory_references_by_target. What lies above begins with links from nothing to each direct source, so that one that
 * many targets have in common is looked up once. In no order, for SQLite would read all references of the name to have one.
 */
export const sourceLinks = (dialect: Dialect, reference: string, above: string, targetIds: readonly string[]) => sql`
  WITH RECURSIVE direct (target, source) AS (
    SELECT target_id, source_id
      FROM directory_references WHERE reference = ${reference} AND target_id ${dialect.oneOfTexts(targetIds)}
  ), links (target, source) AS (
    SELECT ${dialect.byCodePoint(raw("''"))}, source FROM direct
    UNION
    SELECT higher.target_id, higher.source_id
      FROM links CROSS JOIN directory_references AS higher
     WHERE higher.reference = ${above} AND higher.target_id = links.source
  )
  SELECT 1, target, source FROM direct
  UNION ALL
  SELECT 0, target, source FROM links WHERE target <> ''`

/** Served by the primary key. */
export const deleteTargets = (reference: string, sourceId: string) =>
  sql`DELETE FROM directory_references WHERE reference = ${reference} AND source_id = ${sourceId}`

export const insertTargets = (dialect: Dialect, reference: string, sourceId: string, targets: readonly string[]) => {
  const rows = targets.map((target, index) => [index, storableId(target), termOf(target)] as const)
  return sql`
  INSERT INTO directory_references (reference, source_id, target_id, target_term, pos)
  SELECT ${reference}, ${storableId(sourceId)}, name, value, seq FROM ${dialect.listedValues(rows)}`
}

/** Served by the primary key, whose last entry has the highest position, and by directory_references_by_target. */
export const addTarget = (reference: string, sourceId: string, targetId: string) => sql`
  INSERT INTO directory_references (reference, source_id, target_id, target_term, pos)
  SELECT ${reference}, ${storableId(sourceId)}, ${storableId(targetId)}, ${termOf(targetId)},
         coalesce((SELECT max(pos) FROM directory_references WHERE reference = ${reference} AND source_id = ${sourceId}), -1) + 1
   WHERE TRUE
  ON CONFLICT (reference, target_id, source_id) DO NOTHING`

/** Served by directory_references_by_target. */
export const deleteTarget = (reference: string, sourceId: string, targetId: string) => sql`
  DELETE FROM directory_references WHERE reference = ${reference} AND target_id = ${targetId} AND source_id = ${sourceId}`

/** Served by directory_references_by_target. */
export const deleteSources = (reference: string, targetId: string) =>
  sql`DELETE FROM directory_references WHERE reference = ${reference} AND target_id = ${targetId}`

function targetsBeginning(dialect: Dialect, reference: string, sourceId: string, prefix: string): Sql {
  const of = sql`reference = ${reference} AND source_id = ${sourceId}`
  if (prefix === '') return of
  const pattern = { text: foldTerm(prefix), place: 'initial', hasWildcards: false } as const
  return sql`${of} AND ${hasTerm(dialect, raw('target_term'), pattern)}`
}

function termOf(id: string): string {
  return cutTerm(foldTerm(id))
}
