import sql, { raw, type Sql } from 'sql-template-tag'
import { listedColumns } from '../documents/document-row.ts'
import { orderOf, usesScore, withoutWildcards } from './search-order.ts'
import { limitSlot, offsetSlot } from './search-run.ts'
import { documentSource, type SearchTarget } from './search-source.ts'

/** A page of documents: served by the index on the property it is ordered by, or by that of what it asks for. */
export function documentsPage(target: SearchTarget): Sql {
  return page(target, listedColumns(target.dialect))
}

export function idsPage(target: SearchTarget): Sql {
  return page(target, raw('documents.id'))
}

/** The numbers of the rows that LIMIT and OFFSET of the query leave. */
export function seqsWithin(target: SearchTarget): Sql {
  return page(target, raw('documents.seq'))
}

export function documentsCount(target: SearchTarget): Sql {
  const { from, where } = documentSource(target, { isScored: false })
  return sql`SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ${limitSlot} OFFSET ${offsetSlot}) AS counted`
}

function page(target: SearchTarget, columns: Sql): Sql {
  const keys = withoutWildcards(target.query.order)
  const source = documentSource(target, { isScored: usesScore(keys) })
  return sql`${source.with}SELECT ${columns} FROM ${source.from} WHERE ${source.where}
    ORDER BY ${orderOf(target, keys, source)} LIMIT ${limitSlot} OFFSET ${offsetSlot}`
}
