import type { AggregateDefinition } from '../../../core/search/aggregates/aggregate-definition.ts'
import type { AggregateField } from '../../../core/search/aggregates/aggregate-field.ts'
import type { AskSummary } from '../../../core/search/aggregates/aggregate-plan.ts'
import type { AggregateBucket } from '../../../core/search/aggregates/bucket.ts'
import { inOrder, parseOrder } from '../../../core/search/aggregates/bucket-order.ts'
import { itemAt, planOf } from '../../../core/search/aggregates/plan-aggregate.ts'
import { byKey, maxValues } from '../../../core/search/aggregates/terms.ts'
import { utc } from '../../../nxql/time-zone.ts'
import type { AggregationKind } from '../request/aggregation.ts'
import { refuse, type SentScalar, shown } from '../request/json-parts.ts'
import { bucketKeys } from './bucket-keys.ts'
import type { Computation, Result } from './computation.ts'
import { askOfNothing, type FilledBucket, type SummarisedField, type SummarySource, type WantedValues } from './summary-source.ts'

type Buckets = Omit<Extract<AggregationKind, { readonly kind: 'buckets' }>, 'kind'> & {
  readonly place: number
  readonly hasNested: boolean
}
type Term = Extract<AggregateBucket, { readonly kind: 'term' }>

const wanted: { readonly [kind: string]: WantedValues } = {
  range: 'numbers',
  histogram: 'numbers',
  date_range: 'dates',
  date_histogram: 'dates',
}

/** The buckets of a summary, each with what is computed inside of it. */
export async function computeBuckets(
  { definition, place, missing, hasNested }: Buckets,
  source: SummarySource,
  inside: (part: SummarySource, count: number) => Promise<Result>,
  computation: Computation,
): Promise<Result> {
  const values = wanted[definition.type] ?? 'any'
  const found = source.findField(definition.field, values) ?? absentField(values)
  requireFit(definition, found.field, values)
  const { field, ask } = found
  const plan = planOf({ definition, field, item: itemAt(place), now: computation.now, zone: utc })
  const computed = await plan.compute(wholly(ask, definition))
  const own = Array.isArray(computed) ? (computed as readonly AggregateBucket[]) : []
  const filled = await withMissing(own, missing, definition, found)
  computation.addBuckets(filled.length)
  const keysOf = bucketKeys(definition, field.type)
  const parts = hasNested ? await source.split({ written: definition.field, field, item: itemAt(place), buckets: filled }) : []
  const buckets: Result[] = []
  for (const [index, { bucket }] of filled.entries()) {
    await computation.pause()
    const results = await inside(parts[index] ?? source, bucket.count)
    buckets.push({ ...keysOf(bucket), doc_count: bucket.count, ...results })
  }
  const others = definition.type === 'terms' ? await countOthers(definition, own, found) : undefined
  return { ...(others !== undefined && { doc_count_error_upper_bound: 0, sum_other_doc_count: others }), buckets }
}

/** What is counted here, and not where the values are, is refused where it is not all of them. */
function wholly(ask: AskSummary, { id, field }: AggregateDefinition): AskSummary {
  return async (summary, of) => {
    const result = await ask(summary, of)
    if (result.kind === 'counts' && result.counts.length >= maxValues) {
      refuse(
        `${shown(field)} has more than ${maxValues} values, which is too many for the aggregation ${shown(id)}. Narrow the query.`,
      )
    }
    return result
  }
}

/** Of what nobody has there are no values; buckets that are asked for by their bounds are there all the same. */
function absentField(values: WantedValues): SummarisedField {
  const type = values === 'dates' ? 'date' : values === 'numbers' ? 'double' : 'string'
  return {
    field: { summary: { kind: 'pathSegment', depth: 0 }, type, isOneOf: () => '1 = 0', nameOf: () => '' },
    ask: askOfNothing,
  }
}

function requireFit({ id, field: written }: AggregateDefinition, { type }: AggregateField, values: WantedValues): void {
  if (values === 'any') return
  const isFit = values === 'dates' ? type === 'date' : type === 'long' || type === 'double'
  if (!isFit) refuse(`The aggregation ${shown(id)} needs ${values}, which ${shown(written)} has not.`)
}

async function withMissing(
  buckets: readonly AggregateBucket[],
  missing: SentScalar | undefined,
  { properties = {} }: AggregateDefinition,
  { field, ask }: SummarisedField,
): Promise<readonly FilledBucket[]> {
  const filled = buckets.map((bucket): FilledBucket => ({ bucket, isOfValues: true, orMissing: false }))
  if (missing === undefined) return filled
  const result = await ask({ kind: 'total', of: field.summary, function: 'missing' })
  const count = result.kind === 'number' ? (result.value ?? 0) : 0
  if (count === 0) return filled
  const key = String(missing)
  const known = filled.find(({ bucket }) => bucket.key === key)
  const joined: FilledBucket = {
    bucket: { kind: 'term', key, count: count + (known?.bucket.count ?? 0) },
    isOfValues: known !== undefined,
    orMissing: true,
  }
  const all = [...filled.filter((one) => one !== known), joined].map((one) => ({ ...one, count: one.bucket.count }))
  const compare = byKey(field)
  const order = parseOrder(properties['order'], { by: 'count', isAscending: false })
  const ordered = inOrder(all, order, (left, right) => compare(left.bucket as Term, right.bucket as Term))
  return ordered.slice(0, Number(properties['size']))
}

/** What is in buckets that are not shown. */
async function countOthers(
  { properties = {} }: AggregateDefinition,
  buckets: readonly AggregateBucket[],
  { field, ask }: { readonly field: AggregateField; readonly ask: AskSummary },
): Promise<number> {
  const isAll = buckets.length < Number(properties['size']) || 'include' in properties || 'exclude' in properties
  if (isAll) return 0
  const result = await ask({ kind: 'total', of: field.summary, function: 'count' })
  const total = result.kind === 'number' ? (result.value ?? 0) : 0
  return Math.max(0, total - buckets.reduce((sum, { count }) => sum + count, 0))
}
