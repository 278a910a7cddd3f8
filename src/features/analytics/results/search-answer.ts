import { type Static, Type } from '../../../rest/openapi/schema.ts'
import type { SearchRequest } from '../request/search-request.ts'
import type { Computation } from './computation.ts'
import { computeAggregations } from './compute-aggregations.ts'
import type { SummarySource } from './summary-source.ts'

/** What was found in an index. */
export interface Found {
  readonly total: number
  readonly hits: readonly Hit[]
  readonly source: SummarySource
}

/** What is made of it, by whoever has it: rows are looked at in turn, and what is made of them belongs to the turn. */
export type UseOf<Result> = (found: Found) => Promise<Result>

export interface Hit {
  readonly id: string
  readonly type: string
  readonly source?: { readonly [field: string]: unknown }
}

const hitSchema = Type.Object({
  _index: Type.String(),
  _type: Type.String(),
  _id: Type.String(),
  _score: Type.Nullable(Type.Number()),
  _source: Type.Optional(Type.Map({ description: 'A document or a row, by the names of its fields' })),
})

/** As search engines answer, as much of it as pages of figures look at (contract: workflow 11). */
export const searchAnswerSchema = Type.Object(
  {
    took: Type.Integer({ description: 'Milliseconds' }),
    timed_out: Type.Boolean(),
    _shards: Type.Object({
      total: Type.Integer(),
      successful: Type.Integer(),
      skipped: Type.Integer(),
      failed: Type.Integer(),
    }),
    hits: Type.Object({
      total: Type.Integer(),
      max_score: Type.Nullable(Type.Number()),
      hits: Type.Array(hitSchema),
    }),
    aggregations: Type.Optional(Type.Map({ description: 'By the names under which they were asked for' })),
  },
  { $id: 'AnalyticsAnswer' },
)

export async function writeAnswer(
  index: string,
  { total, hits, source }: Found,
  { aggregations, sort }: SearchRequest,
  computation: Computation,
  started: number,
): Promise<Static<typeof searchAnswerSchema>> {
  const score = sort.length === 0 ? 1 : null
  const computed = aggregations.length === 0 ? undefined : await computeAggregations(aggregations, source, computation)
  return {
    took: Math.round(performance.now() - started),
    timed_out: false,
    _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
    hits: {
      total,
      max_score: hits.length === 0 ? null : score,
      hits: hits.map(({ id, type, source: shown }) => ({
        _index: index,
        _type: type,
        _id: id,
        _score: score,
        ...(shown !== undefined && { _source: shown as Static<typeof hitSchema>['_source'] }),
      })),
    },
    ...(computed !== undefined && { aggregations: computed }),
  } as Static<typeof searchAnswerSchema>
}
