import sql, { type Sql } from 'sql-template-tag'
import { typeOnlyFacets, unseenFacets } from '../../../nxql/facet-rules.ts'
import type { Summary, SummaryField, SummaryResult } from '../../search.ts'
import type { SqlRow } from '../connection.ts'
import type { SearchTarget } from './search-source.ts'
import { summarisedDocuments } from './summary-source.ts'

type FacetField = Extract<SummaryField, { readonly kind: 'facets' }>

/** How many documents there are of each type and with each set of facets of their own: few groups, however many documents. */
export function facetGroups(target: SearchTarget): Sql {
  return sql`SELECT documents.type, documents.facets, count(*) FROM documents WHERE ${summarisedDocuments(target)}
    GROUP BY documents.type, documents.facets`
}

/** A summary of what a query for facets sees of the groups. Facets have no order that ranges could be of. */
export function summariseFacets(summary: Summary, of: FacetField, rows: readonly SqlRow[]): SummaryResult {
  const groups = rows.map(([type, facets, count]) => ({ facets: seenFacets(of, String(type), facets), count: Number(count) }))
  const counts = new Map<string, number>()
  for (const { facets, count } of groups) for (const facet of facets) counts.set(facet, (counts.get(facet) ?? 0) + count)
  switch (summary.kind) {
    case 'values':
      return { kind: 'counts', counts: mostFrequent(counts, summary.max) }
    case 'total': {
      if (summary.function === 'cardinality') return { kind: 'number', value: counts.size }
      if (summary.function === 'count') return { kind: 'number', value: totalOf(counts.values()) }
      const without = groups.filter(({ facets }) => facets.size === 0).map(({ count }) => count)
      return { kind: 'number', value: summary.function === 'missing' ? totalOf(without) : null }
    }
    case 'ranges':
      return { kind: 'rangeCounts', counts: summary.ranges.map(() => 0) }
    default:
      return { kind: 'counts', counts: [] }
  }
}

function seenFacets(of: FacetField, type: string, own: SqlRow[number] | undefined): ReadonlySet<string> {
  const given = typeof own === 'string' ? (JSON.parse(own) as readonly string[]) : []
  const facets = [...of.facetsOf(type), ...given.filter((facet) => !typeOnlyFacets.has(facet))]
  return new Set(facets.filter((facet) => !unseenFacets.has(facet)))
}

function mostFrequent(counts: ReadonlyMap<string, number>, max: number) {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1))
    .slice(0, max)
}

function totalOf(numbers: Iterable<number>): number {
  return [...numbers].reduce((sum, number) => sum + number, 0)
}
