import { type AggregateContext, type AggregatePlan, type AskSummary, countsOf } from './aggregate-plan.ts'
import { integerOf } from './aggregate-properties.ts'
import { byKey, mostValues, sizeOf, termCondition, termsOf } from './terms.ts'

/** A bucket for each value that is more frequent among the found than among all, the most conspicuous first. */
export function planSignificantTerms({ definition, field }: AggregateContext): AggregatePlan {
  const size = sizeOf(definition)
  const least = integerOf(definition, 'minDocCount', 1)
  const values = { kind: 'values', of: field.summary, most: mostValues } as const
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
      const ranked = scored.toSorted((left, right) => right.score - left.score || byKey(left.term, right.term))
      return ranked.slice(0, size).map(({ term }) => term)
    },
  }
}

/** How much a share stands out: the gain, weighted by how many times the usual it is. */
function significance(share: number, usualShare: number): number {
  return (share - usualShare) * (share / usualShare)
}
