import type { SqlRow, SqlValue } from '../sql/connection.ts'

/** Two lists of rows in one order, side by side. */
export type RowPair =
  | { readonly kind: 'both'; readonly source: SqlRow; readonly target: SqlRow }
  | { readonly kind: 'missing'; readonly source: SqlRow }
  | { readonly kind: 'extra'; readonly target: SqlRow }

type Pages = AsyncIterable<readonly SqlRow[]>

/** Pairs the rows of both by their keys, which are the values at these places. Rows that no key tells apart are paired one by one. */
export async function* mergeRows(source: Pages, target: Pages, key: readonly number[]): AsyncGenerator<RowPair> {
  const [left, right] = [cursorOver(source), cursorOver(target)]
  try {
    let [ours, theirs] = [await left.next(), await right.next()]
    while (ours !== undefined || theirs !== undefined) {
      const order = ours === undefined ? 1 : theirs === undefined ? -1 : compareKeys(ours, theirs, key)
      if (order === 0) yield { kind: 'both', source: ours as SqlRow, target: theirs as SqlRow }
      else if (order < 0) yield { kind: 'missing', source: ours as SqlRow }
      else yield { kind: 'extra', target: theirs as SqlRow }
      if (order <= 0) ours = await left.next()
      if (order >= 0) theirs = await right.next()
    }
  } finally {
    await Promise.all([left.end(), right.end()])
  }
}

function cursorOver(pages: Pages) {
  const iterator = pages[Symbol.asyncIterator]()
  let page: readonly SqlRow[] = []
  let at = 0
  return {
    async next(): Promise<SqlRow | undefined> {
      while (at >= page.length) {
        const { done, value } = await iterator.next()
        if (done) return undefined
        page = value
        at = 0
      }
      return page[at++]
    },
    end: async () => void (await iterator.return?.()),
  }
}

function compareKeys(left: SqlRow, right: SqlRow, key: readonly number[]): number {
  for (const at of key) {
    const order = compareValues(left[at] ?? null, right[at] ?? null)
    if (order !== 0) return order
  }
  return 0
}

/** As both engines order: nothing first, text by code point. */
export function compareValues(left: SqlValue, right: SqlValue): number {
  if (left === right) return 0
  if (left === null || right === null) return left === null ? -1 : 1
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  return left < right ? -1 : 1
}

const firstSurrogate = 0xd800
const lastSurrogate = 0xdfff

/** JavaScript compares units of UTF-16, where a letter of two units comes before some letters of one. */
function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  let at = 0
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1
  if (at === length) return left.length - right.length
  const [ours, theirs] = [left.charCodeAt(at), right.charCodeAt(at)]
  const isPair = (unit: number) => unit >= firstSurrogate && unit <= lastSurrogate
  if (isPair(ours) !== isPair(theirs)) return isPair(ours) ? 1 : -1
  return ours - theirs
}
