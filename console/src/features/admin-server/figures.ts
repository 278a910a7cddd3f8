import type { Metric, Storage } from '../../api/administration/server-state.ts'

/** All values of a name, summed by one of their labels. */
export function figuresBy(metrics: readonly Metric[], name: string, label: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { value, labels } of metrics.find((one) => one.name === name)?.values ?? []) {
    const key = String(labels[label] ?? '')
    sums.set(key, (sums.get(key) ?? 0) + value)
  }
  return sums
}

export function figure(metrics: readonly Metric[], name: string): number {
  return [...figuresBy(metrics, name, '').values()].reduce((sum, value) => sum + value, 0)
}

/** How many of a hundred questions a cache could answer; undefined where none was asked. */
export function hitShare(hits: number, misses: number): number | undefined {
  return hits + misses === 0 ? undefined : Math.round((hits / (hits + misses)) * 100)
}

export interface Growth {
  readonly month: string
  readonly bytes: number
  /** With all months before. */
  readonly sum: number
}

const mostMonths = 24

/** The last two years, also months in which nothing came: a chart without them would lie about time. */
export function growthOf({ months }: Pick<Storage, 'months'>): readonly Growth[] {
  const [first, last] = [months[0]?.month, months.at(-1)?.month]
  if (first === undefined || last === undefined) return []
  const bytesOf = new Map(months.map(({ month, bytes }) => [month, bytes]))
  const growth: Growth[] = []
  for (let month = first, sum = 0; month <= last; month = monthAfter(month)) {
    const bytes = bytesOf.get(month) ?? 0
    sum += bytes
    growth.push({ month, bytes, sum })
  }
  return growth.slice(-mostMonths)
}

function monthAfter(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01`.padStart(7, '0') : `${month.slice(0, 4)}-${String(number + 1).padStart(2, '0')}`
}
