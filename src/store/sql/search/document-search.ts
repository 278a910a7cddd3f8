import sql, { join, raw, type Sql } from 'sql-template-tag'
import { listedColumns } from '../documents/document-row.ts'
import { orderOf, sortKeys, usesScore, withoutWildcards } from './search-order.ts'
import { limitSlot, offsetSlot } from './search-run.ts'
import { documentSource, type SearchTarget } from './search-source.ts'

/** A page of documents: served by the index on the property it is ordered by, or by that of what it asks for. */
export function documentsPage(target: SearchTarget): Sql {
  return page(target, listedColumns(target.dialect))
}

export function idsPage(target: SearchTarget): Sql {
  return page(target, raw('documents.id'))
}

/** The same with the number of all that are found as the last column. */
export function countedDocumentsPage(target: SearchTarget): Sql {
  return countedPage(target, listedColumns(target.dialect))
}

export function countedIdsPage(target: SearchTarget): Sql {
  return countedPage(target, raw('documents.id'))
}

/** The numbers of the rows that LIMIT and OFFSET of the query leave. */
export function seqsWithin(target: SearchTarget): Sql {
  return page(target, raw('documents.seq'))
}

export function documentsCount(target: SearchTarget): Sql {
  const { from, where } = documentSource(target, { isScored: false })
  return sql`SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ${limitSlot} OFFSET ${offsetSlot}) AS counted`
}

/** Of all of them: without a limit SQLite looks at rights in the same pass, which takes a third of the time off (measured). */
export function allDocumentsCount(target: SearchTarget): Sql {
  const { from, where } = documentSource(target, { isScored: false })
  return sql`SELECT count(*) FROM ${from} WHERE ${where}`
}

function page(target: SearchTarget, columns: Sql): Sql {
  const keys = withoutWildcards(target.query.order)
  const source = documentSource(target, { isScored: usesScore(keys) })
  return sql`${source.with}SELECT ${columns} FROM ${source.from} WHERE ${source.where}
    ORDER BY ${orderOf(target, keys, source)} LIMIT ${limitSlot} OFFSET ${offsetSlot}`
}

/**
 * All that is found is stored first, as small as it sorts: to look for it again in order to count it took half as long as the page
 * (measured), and counting it in a window nearly as long.
 */
function countedPage(target: SearchTarget, columns: Sql): Sql {
  const keys = withoutWildcards(target.query.order)
  const source = documentSource(target, { isScored: usesScore(keys) })
  const sorted = sortKeys(target, keys, source)
  const nameOf = (index: number) => raw(`key_${index}`)
  const stored = [sql`documents.seq AS found_seq`, ...sorted.map(({ value }, index) => sql`${value} AS ${nameOf(index)}`)]
  const order = join([...sorted.map(({ directed }, index) => directed(nameOf(index))), raw('found_seq')])
  return sql`WITH found AS MATERIALIZED (${source.with}SELECT ${join(stored)} FROM ${source.from} WHERE ${source.where})
    SELECT ${columns}, (SELECT count(*) FROM found) AS found_count
      FROM (SELECT * FROM found ORDER BY ${order} LIMIT ${limitSlot} OFFSET ${offsetSlot}) AS page
      JOIN documents ON documents.seq = page.found_seq ORDER BY ${order}`
}
