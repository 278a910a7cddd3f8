export type MetricLabels = { readonly [name: string]: string | number }

/** A number by its labels; of a histogram also which of its rows it is. */
export interface MetricValue {
  readonly labels: MetricLabels
  readonly value: number
  readonly metricName?: string
}

/** All numbers of one name, in the form in which processes hand them to each other and the library prints them. */
export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  /** How those of several processes become one. */
  readonly aggregator: 'sum' | 'average' | 'max' | 'min' | 'first' | 'omit'
  readonly values: readonly MetricValue[]
}

/** Tells numbers as they are at the moment of asking: what is counted costs no more than the counting. */
export type MetricSource = () => readonly MetricFamily[] | Promise<readonly MetricFamily[]>

/** The other processes of the same server. */
export interface MetricsExchange {
  /** What this process tells the others when they ask. */
  answerWith(collect: () => Promise<readonly MetricFamily[]>): void
  /** What the others have counted, those included that are no more. */
  collectOthers(own: readonly MetricFamily[]): Promise<readonly (readonly MetricFamily[])[]>
}

/** What a process counts of itself, for whoever watches the server. */
export class Metrics {
  readonly #sources: MetricSource[] = []
  readonly #exchange: MetricsExchange | undefined

  constructor(exchange?: MetricsExchange) {
    this.#exchange = exchange
    exchange?.answerWith(() => this.collect())
  }

  /** Several sources may tell of the same family, with other labels. */
  add(source: MetricSource): void {
    this.#sources.push(source)
  }

  async collect(): Promise<readonly MetricFamily[]> {
    return joinFamilies((await Promise.all(this.#sources.map((source) => source()))).flat())
  }

  /** Of each process of the server, this one first. */
  async collectAll(): Promise<readonly (readonly MetricFamily[])[]> {
    const own = await this.collect()
    return [own, ...((await this.#exchange?.collectOthers(own)) ?? [])]
  }
}

function joinFamilies(families: readonly MetricFamily[]): readonly MetricFamily[] {
  const byName = new Map<string, MetricFamily>()
  for (const family of families) {
    const known = byName.get(family.name)
    byName.set(family.name, known === undefined ? family : { ...known, values: [...known.values, ...family.values] })
  }
  return [...byName.values()]
}

/** What ended processes have counted in all: the sums of a server must not sink when a process of it is replaced by another. */
export function addCounts(left: readonly MetricFamily[], right: readonly MetricFamily[]): readonly MetricFamily[] {
  const sums = new Map(left.filter(isCount).map((family) => [family.name, family]))
  for (const family of right.filter(isCount)) sums.set(family.name, addFamily(sums.get(family.name), family))
  return [...sums.values()]
}

function isCount({ type, aggregator }: MetricFamily): boolean {
  return aggregator === 'sum' && (type === 'counter' || type === 'histogram')
}

function addFamily(known: MetricFamily | undefined, added: MetricFamily): MetricFamily {
  const values = new Map(known?.values.map((one) => [rowOf(one), one]))
  for (const one of added.values) {
    const before = values.get(rowOf(one))?.value ?? 0
    values.set(rowOf(one), { ...one, value: before + one.value })
  }
  return { ...added, values: [...values.values()] }
}

function rowOf({ metricName = '', labels }: MetricValue): string {
  return JSON.stringify([metricName, Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1))])
}

export function counterOf(name: string, help: string, values: readonly MetricValue[]): MetricFamily {
  return { name, help, type: 'counter', aggregator: 'sum', values }
}

/** The gauges of processes are added up unless told. */
export function gaugeOf(
  name: string,
  help: string,
  values: readonly MetricValue[],
  aggregator: MetricFamily['aggregator'] = 'sum',
): MetricFamily {
  return { name, help, type: 'gauge', aggregator, values }
}

/** A number without labels, or with these. */
export function figureOf(value: number, labels: MetricLabels = {}): MetricValue {
  return { labels, value }
}

/** Up to how many seconds something took, of what is counted together. */
export const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

/** How long things of one kind took. Open, for the one place that has no time to call a function. */
export interface DurationCell {
  readonly labels: MetricLabels
  /** How many took up to each of the bounds and longer than the one before it; the last took longer than all. */
  readonly counts: number[]
  seconds: number
}

export function newDurationCell(labels: MetricLabels): DurationCell {
  return { labels, counts: new Array<number>(durationBounds.length + 1).fill(0), seconds: 0 }
}

/** @param since by `performance.now()` */
export function addDuration(cell: DurationCell, since: number): void {
  const seconds = (performance.now() - since) / 1_000
  let index = 0
  while (index < durationBounds.length && seconds > (durationBounds[index] ?? 0)) index += 1
  cell.counts[index] = (cell.counts[index] ?? 0) + 1
  cell.seconds += seconds
}

export function durationsOf(name: string, help: string, cells: readonly DurationCell[]): MetricFamily {
  return { name, help, type: 'histogram', aggregator: 'sum', values: cells.flatMap((cell) => rowsOfCell(name, cell)) }
}

function rowsOfCell(name: string, { labels, counts, seconds }: DurationCell): readonly MetricValue[] {
  let sum = 0
  const buckets = counts.map((count, index) => {
    sum += count
    return { labels: { ...labels, le: durationBounds[index] ?? '+Inf' }, value: sum, metricName: `${name}_bucket` }
  })
  return [...buckets, { labels, value: seconds, metricName: `${name}_sum` }, { labels, value: sum, metricName: `${name}_count` }]
}

// Labels come from lists that the server has, such as the kinds of its jobs. Whatever else comes is not told apart.
const maxCells = 1_000

/** Finds what belongs to labels, of which there are only so many. */
class Cells<Cell> {
  readonly #cells = new Map<string, Cell>()
  readonly #make: (labels: MetricLabels) => Cell
  #other: Cell | undefined

  constructor(make: (labels: MetricLabels) => Cell) {
    this.#make = make
  }

  of(labels: MetricLabels): Cell {
    const key = Object.values(labels).join('\n')
    const known = this.#cells.get(key)
    if (known !== undefined) return known
    if (this.#cells.size >= maxCells) {
      this.#other ??= this.#make(Object.fromEntries(Object.keys(labels).map((name) => [name, 'other'])))
      return this.#other
    }
    const made = this.#make(labels)
    this.#cells.set(key, made)
    return made
  }

  all(): readonly Cell[] {
    return [...this.#cells.values(), ...(this.#other === undefined ? [] : [this.#other])]
  }
}

/** Counts by labels. */
export class LabelledCounter {
  readonly #name: string
  readonly #help: string
  readonly #cells = new Cells((labels): { readonly labels: MetricLabels; value: number } => ({ labels, value: 0 }))

  constructor(name: string, help: string) {
    this.#name = name
    this.#help = help
  }

  add(labels: MetricLabels, by = 1): void {
    this.#cells.of(labels).value += by
  }

  family(): MetricFamily {
    return counterOf(
      this.#name,
      this.#help,
      this.#cells.all().map(({ labels, value }) => ({ labels, value })),
    )
  }
}

/** How long things took, by labels. */
export class Durations {
  readonly #name: string
  readonly #help: string
  readonly #cells = new Cells(newDurationCell)

  constructor(name: string, help: string) {
    this.#name = name
    this.#help = help
  }

  /** @param since by `performance.now()` */
  add(labels: MetricLabels, since: number): void {
    addDuration(this.#cells.of(labels), since)
  }

  family(): MetricFamily {
    return durationsOf(this.#name, this.#help, this.#cells.all())
  }
}
