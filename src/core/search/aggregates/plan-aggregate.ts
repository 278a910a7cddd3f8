import type { AggregateDefinition, metricKinds } from './aggregate-definition.ts'
import { findAggregateField } from './aggregate-field.ts'
import {
  type AggregateContext,
  type AggregateEnvironment,
  type AggregatePlan,
  type AskSummary,
  aggregateMistake,
  countsOf,
} from './aggregate-plan.ts'
import { integerOf } from './aggregate-properties.ts'
import { planDateHistogram } from './date-histogram.ts'
import { planHistogram } from './histogram.ts'
import { planDateRanges, planRanges } from './ranges.ts'
import { byKey, maxValues, planTerms, sizeOf, termCondition, termsOf } from './terms.ts'

// Numbers of wildcards that no author of a query counts up to.
const firstItem = 9_000

/**
 * How to compute the aggregate at some place of a provider; undefined for a field that cannot be summarised.
 * @throws aggregateMistake
 */
export function planAggregate(
  definition: AggregateDefinition,
  place: number,
  { model, now, zone }: AggregateEnvironment,
): AggregatePlan | undefined {
  const field = findAggregateField(model, definition.field)
  if (field === undefined) return undefined
  return planOf({ definition, field, item: itemAt(place), now, zone })
}

/** The number of the items of the aggregate at some place. */
export function itemAt(place: number): number {
  return firstItem + place
}

/** The same of a field that is known already. @throws aggregateMistake */
export function planOf(context: AggregateContext): AggregatePlan {
  const { definition } = context
  switch (definition.type) {
    case 'terms':
      return planTerms(context)
    case 'significant_terms':
      return planSignificantTerms(context)
    case 'range':
      return planRanges(context)
    case 'date_range':
      return planDateRanges(context)
    case 'histogram':
      return planHistogram(context)
    case 'date_histogram':
      return planDateHistogram(context)
    case 'cardinality':
    case 'count':
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
    case 'missing':
      return planMetric(definition.type, context)
    default:
      throw aggregateMistake({ reason: `Unknown aggregate type: ${String(definition.type satisfies never)}` })
  }
}

/** One number about all values. */
function planMetric(kind: (typeof metricKinds)[number], { field }: AggregateContext): AggregatePlan {
  return {
    async compute(ask) {
      const result = await ask({ kind: 'total', of: field.summary, function: kind })
      const value = result.kind === 'number' ? result.value : null
      return value === null || Number.isFinite(value) ? value : null
    },
  }
}

/** A bucket for each value that is more frequent among the found than among all, the most conspicuous first. */
function planSignificantTerms({ definition, field }: AggregateContext): AggregatePlan {
  const size = sizeOf(definition)
  const least = integerOf(definition, 'minDocCount', 1)
  const inKeyOrder = byKey(field)
  const values = { kind: 'values', of: field.summary, max: maxValues } as const
  const total = async (ask: AskSummary, of: 'found' | 'everything') => {
    const result = await ask({ kind: 'total', of: field.summary, function: 'count' }, of)
    return result.kind === 'number' ? (result.value ?? 0) : 0
  }
  return {
    conditionOf: termCondition(field),
    async compute(ask) {
      const found = termsOf(countsOf(await ask(values)), field)
      const all = new Map(termsOf(countsOf(await ask(values, 'everything')), field).map(({ key, count }) => [key, count]))
      const [foundTotal, allTotal] = [await total(ask, 'found'), await total(ask, 'everything')]
      const scored = found
        .filter(({ count }) => count >= least)
        .map((term) => ({ term, score: significance(term.count / foundTotal, (all.get(term.key) ?? term.count) / allTotal) }))
        .filter(({ score }) => score > 0)
      const ranked = scored.toSorted((left, right) => right.score - left.score || inKeyOrder(left.term, right.term))
      return ranked.slice(0, size).map(({ term }) => term)
    },
  }
}

/** How much a share stands out: the gain, weighted by how many times the usual it is. */
function significance(share: number, usualShare: number): number {
  return (share - usualShare) * (share / usualShare)
}
