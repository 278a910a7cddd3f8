import type { Metric } from '../request/aggregation.ts'
import { refuse, shown } from '../request/json-parts.ts'
import type { Result } from './computation.ts'
import type { SummarySource } from './summary-source.ts'

type Total = 'avg' | 'sum' | 'min' | 'max' | 'count' | 'cardinality'

/** One number about all values, or some of them at once. Of no values the sum is 0, and there is no least one. */
export async function computeMetric(
  { metric, field }: { readonly metric: Metric; readonly field: string },
  name: string,
  source: SummarySource,
): Promise<Result> {
  const found = source.findField(field, metric === 'value_count' || metric === 'cardinality' ? 'any' : 'numbers')
  const type = found?.field.type
  if (found !== undefined && !isFit(metric, found.field.type))
    refuse(`The aggregation ${shown(name)} needs numbers, which ${shown(field)} has not.`)
  const total = async (of: Total): Promise<number | null> => {
    const result = await found?.ask({ kind: 'total', of: found.field.summary, function: of })
    const value = result?.kind === 'number' && Number.isFinite(result.value) ? result.value : null
    return value ?? (of === 'sum' || of === 'count' || of === 'cardinality' ? 0 : null)
  }
  if (metric === 'stats') {
    return {
      count: await total('count'),
      min: await total('min'),
      max: await total('max'),
      avg: await total('avg'),
      sum: await total('sum'),
    }
  }
  const value = await total(metric === 'value_count' ? 'count' : metric)
  const isMoment = type === 'date' && (metric === 'min' || metric === 'max') && value !== null
  return { value, ...(isMoment && { value_as_string: new Date(value).toISOString() }) }
}

function isFit(metric: Metric, type: string): boolean {
  if (metric === 'value_count' || metric === 'cardinality') return true
  return type === 'long' || type === 'double' || (type === 'date' && (metric === 'min' || metric === 'max'))
}
