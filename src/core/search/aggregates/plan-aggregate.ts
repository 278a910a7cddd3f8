import type { AggregateDefinition } from './aggregate-definition.ts'
import { findAggregateField } from './aggregate-field.ts'
import { type AggregatePlan, type AggregateSurroundings, aggregateMistake } from './aggregate-plan.ts'
import { planDateHistogram } from './date-histogram.ts'
import { planHistogram } from './histogram.ts'
import { planMetric } from './metric.ts'
import { planDateRanges, planRanges } from './ranges.ts'
import { planSignificantTerms } from './significant-terms.ts'
import { planTerms } from './terms.ts'

// Numbers of wildcards that no author of a query counts up to.
const firstItem = 9_000

/**
 * How to compute the aggregate at some place of a provider; undefined for a field that cannot be summarised.
 * @throws aggregateMistake
 */
export function planAggregate(
  definition: AggregateDefinition,
  place: number,
  { model, now, zone }: AggregateSurroundings,
): AggregatePlan | undefined {
  const field = findAggregateField(model, definition.field)
  if (field === undefined) return undefined
  const context = { definition, field, item: firstItem + place, now, zone }
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
