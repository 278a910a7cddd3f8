import { aggregateMistake } from './aggregate-plan.ts'

export interface BucketOrder {
  readonly by: 'count' | 'key'
  readonly isAscending: boolean
}

const shape = /^(count|term|key)\s+(asc|desc)$/i

/** Reads `count desc`, `term asc`, `key asc`. @throws aggregateMistake */
export function parseOrder(text: string | undefined, byDefault: BucketOrder): BucketOrder {
  if (text === undefined) return byDefault
  const [, by, direction] = shape.exec(text.trim()) ?? []
  if (by === undefined) throw aggregateMistake({ reason: `Invalid order: ${text}` })
  return { by: by.toLowerCase() === 'count' ? 'count' : 'key', isAscending: direction?.toLowerCase() === 'asc' }
}

/** Equal counts are in the ascending order of their keys, whichever way the counts go. */
export function inOrder<One extends { readonly count: number }>(
  buckets: readonly One[],
  { by, isAscending }: BucketOrder,
  compareKeys: (left: One, right: One) => number,
): readonly One[] {
  const direction = isAscending ? 1 : -1
  return buckets.toSorted((left, right) =>
    by === 'key' ? direction * compareKeys(left, right) : direction * (left.count - right.count) || compareKeys(left, right),
  )
}
