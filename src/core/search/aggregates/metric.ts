import type { metricKinds } from './aggregate-definition.ts'
import type { AggregateContext, AggregatePlan } from './aggregate-plan.ts'

/** One number about all values. */
export function planMetric(kind: (typeof metricKinds)[number], { field }: AggregateContext): AggregatePlan {
  return {
    async compute(ask) {
      const result = await ask({ kind: 'total', of: field.summary, function: kind })
      const value = result.kind === 'number' ? result.value : null
      return value === null || Number.isFinite(value) ? value : null
    },
  }
}
