import type { Aggregate, AggregateResult } from '../../core/search/aggregates/aggregate.ts'
import type { AggregateBucket } from '../../core/search/aggregates/bucket.ts'
import type { Resolver } from '../../model/field.ts'
import type { Model } from '../../model/model.ts'
import { type Static, Type } from '../openapi/schema.ts'
import { fetchReference } from './fetched-references.ts'
import { createRenderContext, type RenderContext } from './rendering.ts'

const bound = Type.Nullable(Type.Union([Type.Number(), Type.String()]))

const bucketSchema = Type.Object(
  {
    key: Type.String(),
    fetchedKey: Type.Optional(Type.Unknown({ description: 'What the key refers to, with `fetch.aggregate: key`' })),
    docCount: Type.Integer(),
    from: Type.Optional(bound),
    to: Type.Optional(bound),
    fromAsDate: Type.Optional(Type.Nullable(Type.Moment())),
    toAsDate: Type.Optional(Type.Nullable(Type.Moment())),
  },
  { $id: 'Bucket', description: 'How many documents have one value, or a value of one range' },
)

/** A summary of everything that a page provider finds. */
export const aggregateSchema = Type.Object(
  {
    'entity-type': Type.Literal('aggregate'),
    id: Type.String(),
    field: Type.String(),
    properties: Type.Record(Type.String()),
    ranges: Type.Array(Type.Object({ key: Type.String(), from: Type.Nullable(Type.Number()), to: Type.Nullable(Type.Number()) })),
    selection: Type.Array(Type.String(), { description: 'Keys that the client selected' }),
    type: Type.String(),
    value: Type.Optional(Type.Nullable(Type.Number(), { description: 'Of a number, such as a sum' })),
    buckets: Type.Optional(Type.Array(bucketSchema)),
    extendedBuckets: Type.Optional(Type.Array(bucketSchema, { description: 'Selected keys without a bucket, then all buckets' })),
  },
  { $id: 'Aggregate' },
)

type AggregateEntity = Static<typeof aggregateSchema>
type BucketEntity = Static<typeof bucketSchema>

/** The `aggregate` entities of a list by their ids. */
export async function writeAggregates(
  context: RenderContext,
  aggregates: readonly Aggregate[],
): Promise<{ readonly [id: string]: AggregateEntity }> {
  const written = aggregates.map(async (one) => [one.definition.id, await writeAggregate(context, one)] as const)
  return Object.fromEntries(await Promise.all(written))
}

async function writeAggregate(context: RenderContext, aggregate: Aggregate): Promise<AggregateEntity> {
  const { definition, selection, result } = aggregate
  return {
    'entity-type': 'aggregate',
    id: definition.id,
    field: definition.field.replaceAll('/', '.'),
    properties: definition.properties ?? {},
    ranges: (definition.ranges ?? []).map(({ key, from = null, to = null }) => ({ key, from, to })),
    selection,
    type: definition.type,
    ...(await writeResult(result, keyFetcher(context, aggregate))),
  }
}

type ResultFields = Pick<AggregateEntity, 'value' | 'buckets' | 'extendedBuckets'>

async function writeResult(result: AggregateResult, fetchKey: FetchKey | undefined): Promise<ResultFields> {
  if (result.kind === 'nothing') return {}
  if (result.kind === 'value') return { value: result.value }
  const write = async (bucket: AggregateBucket): Promise<BucketEntity> => {
    const { key, docCount, ...bounds } = writeBucket(bucket)
    return fetchKey === undefined ? { key, docCount, ...bounds } : { key, fetchedKey: await fetchKey(bucket.key), docCount }
  }
  return {
    buckets: await Promise.all(result.buckets.map(write)),
    extendedBuckets: await Promise.all(result.extendedBuckets.map(write)),
  }
}

function writeBucket(bucket: AggregateBucket): BucketEntity {
  const { key, count: docCount } = bucket
  switch (bucket.kind) {
    case 'term':
      return { key, docCount }
    case 'range':
      // JSON has no infinity; clients know it by its name.
      return { key, docCount, from: bucket.from ?? '-Infinity', to: bucket.to ?? 'Infinity' }
    case 'dateRange': {
      const { from, to } = bucket
      return { key, docCount, from: millisOf(from), to: millisOf(to), fromAsDate: from, toAsDate: to }
    }
  }
}

function millisOf(date: string | null): number | null {
  return date === null ? null : Date.parse(date)
}

type FetchKey = (key: string) => Promise<unknown>

/** What shows the things that the keys of buckets refer to; undefined when they are not asked for. */
function keyFetcher(context: RenderContext, { definition }: Aggregate): FetchKey | undefined {
  const hasTerms = definition.type === 'terms' || definition.type === 'significant_terms'
  if (!hasTerms || !context.fetch('aggregate').includes('key')) return undefined
  const resolver = findResolver(context.session.model, definition.field)
  if (resolver === undefined) return async (key) => key
  const inFull = withEntriesInFull(context)
  return async (key) => (await fetchReference(inFull, resolver, key)) ?? key
}

function findResolver(model: Model, field: string): Resolver | undefined {
  const type = model.findProperty(field)?.field.type
  const item = type?.kind === 'list' ? type.item.type : type
  return item === undefined || !('resolver' in item) ? undefined : item.resolver
}

/** Directory entries come with their parents and in the reader's language, whatever is asked for elsewhere in the answer. */
function withEntriesInFull({ session, services, rendering, request }: RenderContext): RenderContext {
  const query = new URLSearchParams(request.query)
  query.append('fetch-directoryEntry', 'parent')
  query.append('translate-directoryEntry', 'label')
  query.set('depth', 'max')
  const { headers, baseUrl } = request
  return createRenderContext(session, { services, rendering, request: { headers, baseUrl, query } })
}
