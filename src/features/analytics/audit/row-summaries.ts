import { compareText } from '../../../nxql/code-point-order.ts'
import type { Summary, SummaryResult } from '../../../store/search.ts'
import type { RowValue } from './row-fields.ts'
import { type ChosenRows, createFirst, type TypedField, visitRows } from './row-table.ts'

/** What the store answers about documents, about rows. A row counts once for each distinct value. */
export async function summariseValues(summary: Summary, chosen: ChosenRows, field: TypedField): Promise<SummaryResult> {
  switch (summary.kind) {
    case 'values':
      return { kind: 'counts', counts: await mostFrequent(chosen, await countBy(chosen, field, (value) => value), summary.max) }
    case 'prefixes': {
      const counts = await countBy(chosen, field, (value) => String(value).slice(0, summary.length))
      return { kind: 'counts', counts: await mostFrequent(chosen, counts, summary.max) }
    }
    case 'intervals': {
      const { width } = summary
      const counts = await countBy(chosen, field, (value) => Math.floor(Number(value) / width) * width)
      return { kind: 'counts', counts: [...counts].map(([value, count]) => ({ value, count })) }
    }
    case 'ranges': {
      const counts = summary.ranges.map(() => 0)
      await visitRows(chosen, field, (values) => {
        for (const [place, { from, to }] of summary.ranges.entries()) {
          const isWithin = values.some((value) => (from === undefined || value >= from) && (to === undefined || value < to))
          if (isWithin) counts[place] = (counts[place] ?? 0) + 1
        }
      })
      return { kind: 'rangeCounts', counts }
    }
    case 'total':
      return { kind: 'number', value: (await totalsOf(chosen, field, summary.function))[summary.function] }
  }
}

async function countBy(
  chosen: ChosenRows,
  field: TypedField,
  made: (value: RowValue) => RowValue,
): Promise<ReadonlyMap<RowValue, number>> {
  const counts = new Map<RowValue, number>()
  await visitRows(chosen, field, (values) => {
    const [only] = values
    const distinct = values.length === 1 && only !== undefined ? [made(only)] : new Set(values.map(made))
    for (const value of distinct) counts.set(value, (counts.get(value) ?? 0) + 1)
  })
  return counts
}

async function mostFrequent({ pause }: ChosenRows, counts: ReadonlyMap<RowValue, number>, max: number) {
  const first = createFirst<{ readonly value: RowValue; readonly count: number }>(
    max,
    (one, other) => other.count - one.count || compareValues(one.value, other.value),
  )
  for (const [value, count] of counts) {
    const waiting = pause()
    if (waiting !== undefined) await waiting
    first.add({ value, count })
  }
  return first.list()
}

function compareValues(one: RowValue, other: RowValue): number {
  return typeof one === 'number' && typeof other === 'number' ? one - other : compareText(String(one), String(other))
}

type Totals = { readonly [name in Extract<Summary, { readonly kind: 'total' }>['function']]: number | null }

async function totalsOf(chosen: ChosenRows, field: TypedField, name: keyof Totals): Promise<Totals> {
  const isSummed = field.type === 'long' || field.type === 'double'
  const distinct = new Set<RowValue>()
  let [count, missing, sum, min, max] = [0, 0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  await visitRows(chosen, field, (values) => {
    if (values.length === 0) missing += 1
    for (const value of values) {
      count += 1
      if (name === 'cardinality') distinct.add(value)
      const number = field.type === 'date' ? Date.parse(String(value)) : Number(value)
      sum += number
      min = Math.min(min, number)
      max = Math.max(max, number)
    }
  })
  const some = (value: number) => (count === 0 ? null : value)
  const numbers = isSummed ? { sum: some(sum), avg: some(sum / count) } : { sum: null, avg: null }
  return { count, missing, cardinality: distinct.size, min: some(min), max: some(max), ...numbers }
}
