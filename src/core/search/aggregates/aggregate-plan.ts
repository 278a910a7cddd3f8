import type { IsoDate } from '../../../base/iso-date.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { Model } from '../../../model/model.ts'
import type { TimeZone } from '../../../nxql/time-zone.ts'
import type { Summary, SummaryResult } from '../../../store/search.ts'
import type { AggregateDefinition } from './aggregate-definition.ts'
import type { AggregateField } from './aggregate-field.ts'
import type { AggregateBucket } from './bucket.ts'

/** How one aggregate is computed, and what selecting some of its keys means. */
export interface AggregatePlan {
  /** The condition, in NXQL, of being in one of the buckets. Undefined: nothing can be selected. */
  readonly conditionOf?: (keys: readonly string[]) => string
  compute(ask: AskSummary): Promise<readonly AggregateBucket[] | number | null>
}

/** Summarises what was found, or, for comparison, everything that could be. */
export type AskSummary = (summary: Summary, of?: 'found' | 'everything') => Promise<SummaryResult>

export interface AggregateContext {
  readonly definition: AggregateDefinition
  readonly field: AggregateField
  /** A number that no other aggregate of the provider uses for its items. */
  readonly item: number
  readonly now: IsoDate
  /** That of the server. */
  readonly zone: TimeZone
}

/** What the definition of an aggregate needs of the server to be understood. */
export interface AggregateEnvironment {
  readonly model: Model
  readonly now: IsoDate
  readonly zone: TimeZone
}

/** Found at start; the sentence is the reason. */
export const aggregateMistake = defineProblem('aggregateMistake', 'invalid', (of: { reason: string }) => of.reason)

export type ValueCounts = Extract<SummaryResult, { kind: 'counts' }>['counts']

export function countsOf(result: SummaryResult): ValueCounts {
  return result.kind === 'counts' ? result.counts : []
}
