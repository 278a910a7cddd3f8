import type { Aggregation, AggregationKind } from '../request/aggregation.ts'
import type { Computation, Result } from './computation.ts'
import { computeBuckets } from './compute-buckets.ts'
import { computeMetric } from './compute-metric.ts'
import { emptied, type SummarySource } from './summary-source.ts'

/** All of them, by name, as search engines answer. */
export async function computeAggregations(
  aggregations: readonly Aggregation[],
  source: SummarySource,
  computation: Computation,
): Promise<Result> {
  const results: [string, Result][] = []
  for (const aggregation of aggregations) {
    await computation.pause()
    results.push([aggregation.name, await computeOne(aggregation, source, computation)])
  }
  // Not by assignment: one may be named `__proto__`.
  return Object.fromEntries(results)
}

async function computeOne(aggregation: Aggregation, source: SummarySource, computation: Computation): Promise<Result> {
  const { name, place, of, nested } = aggregation
  const inside = (part: SummarySource, count: number) =>
    computeAggregations(nested, count === 0 ? emptied(part) : part, computation)
  switch (of.kind) {
    case 'metric':
      return computeMetric(of, name, source)
    case 'filter':
      return counted(source.where(of.condition), inside)
    case 'filters':
      return computeFilters(of, source, inside, computation)
    case 'buckets':
      return computeBuckets({ ...of, place, hasNested: nested.length > 0 }, source, inside, computation)
  }
}

type Inside = (part: SummarySource, count: number) => Promise<Result>

async function counted(part: SummarySource, inside: Inside): Promise<Result> {
  const count = await part.count()
  return { doc_count: count, ...(await inside(part, count)) }
}

async function computeFilters(
  { filters }: Extract<AggregationKind, { readonly kind: 'filters' }>,
  source: SummarySource,
  inside: Inside,
  computation: Computation,
): Promise<Result> {
  computation.addBuckets(filters.length)
  const buckets: [string | undefined, Result][] = []
  for (const { key, condition } of filters) buckets.push([key, await counted(source.where(condition), inside)])
  const isNamed = filters.some(({ key }) => key !== undefined)
  return { buckets: isNamed ? Object.fromEntries(buckets) : buckets.map(([, bucket]) => bucket) }
}
