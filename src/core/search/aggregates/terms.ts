import type { AggregateDefinition } from './aggregate-definition.ts'
import { type AggregateField, anyOf } from './aggregate-field.ts'
import { type AggregateContext, type AggregatePlan, countsOf } from './aggregate-plan.ts'
import { expressionOf, integerOf } from './aggregate-properties.ts'
import type { AggregateBucket } from './bucket.ts'
import { type BucketOrder, inOrder, parseOrder } from './bucket-order.ts'
import { compareKeys, keyOf, literalOfKey } from './value-key.ts'

type Term = Extract<AggregateBucket, { kind: 'term' }>

export const maxTerms = 1_000
/** Of values that are ordered or chosen here rather than in the store. */
export const maxValues = 100_000
const mostFrequentFirst: BucketOrder = { by: 'count', isAscending: false }

/** A bucket for each value. */
export function planTerms({ definition, field }: AggregateContext): AggregatePlan {
  const size = sizeOf(definition)
  const least = integerOf(definition, 'minDocCount', 1)
  const order = parseOrder(definition.properties?.['order'], mostFrequentFirst)
  const [include, exclude] = [expressionOf(definition, 'include'), expressionOf(definition, 'exclude')]
  const isWanted = ({ key, count }: Term) => count >= least && include?.test(key) !== false && exclude?.test(key) !== true
  const isAsCounted = order.by === 'count' && !order.isAscending && include === undefined && exclude === undefined
  return {
    conditionOf: termCondition(field),
    async compute(ask) {
      const summary = { kind: 'values', of: field.summary, max: isAsCounted ? size : maxValues } as const
      const terms = termsOf(countsOf(await ask(summary)), field)
      return inOrder(terms.filter(isWanted), order, byKey(field)).slice(0, size)
    },
  }
}

/** At most so many buckets; 0 means as many as there can be. */
export function sizeOf(definition: AggregateDefinition): number {
  return integerOf(definition, 'size', 10) || maxTerms
}

export function termsOf(counts: ReturnType<typeof countsOf>, { type }: AggregateField): readonly Term[] {
  return counts.map(({ value, count }) => ({ kind: 'term', key: keyOf(value, type), count }))
}

export function termCondition(field: AggregateField): (keys: readonly string[]) => string {
  return (keys) => {
    const values = keys.flatMap((key) => {
      const literal = literalOfKey(key, field.type)
      return literal === undefined ? [] : [{ key, literal }]
    })
    return values.length === 0 ? anyOf([]) : field.isOneOf(values)
  }
}

export function byKey({ type }: AggregateField): (left: Term, right: Term) => number {
  const compare = compareKeys(type)
  return (left, right) => compare(left.key, right.key)
}
