import { type Finding, type Measure, processorShareOf, shareOf } from './finding.ts'

/** What `--json` has written of one run. */
export interface RecordedRun {
  readonly engine: string
  readonly findings: readonly Finding[]
}

interface Column {
  readonly heading: string
  readonly findings: readonly Finding[]
}

/** The findings of several runs side by side, as the documentation has them: a line for each row, a column for each repository. */
export function markdownOf(runs: readonly RecordedRun[]): string {
  const columns = runs.flatMap(columnsOf)
  const rows = [...new Set(columns.flatMap(({ findings }) => findings.map(({ row }) => row)))]
  const lines = rows.map((row) => [`\`${row}\``, boundOf(columns, row), ...columns.map((column) => cellOf(column, row))])
  const headings = ['row', 'bound', ...columns.map(({ heading }) => heading)]
  return [headings, headings.map((_, index) => (index < 2 ? '---' : '---:')), ...lines].map(lineOf).join('\n')
}

const engines: { readonly [name: string]: string } = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

function columnsOf({ engine, findings }: RecordedRun): readonly Column[] {
  const measured = findings.filter(({ measure }) => measure.kind !== 'growth')
  const name = engines[engine] ?? engine
  const sizes = [...new Set(measured.map(({ files }) => files))].filter((files) => files > 0)
  // What was measured without documents stands with the smallest repository.
  return sizes.map((size, index) => ({
    heading: `${name}, ${size.toLocaleString('en')}`,
    findings: measured.filter(({ files }) => files === size || (index === 0 && files === 0)),
  }))
}

function boundOf(columns: readonly Column[], row: string): string {
  const measure = columns.flatMap(({ findings }) => findings).find((finding) => finding.row === row)?.measure
  if (measure?.kind === 'rate' && measure.leastShare !== undefined) return `≥ ${percent(measure.leastShare)}`
  if (measure?.kind === 'time') return `≤ ${measure.maxSeconds} s`
  if (measure?.kind === 'memory' && measure.maxMegabytes !== undefined) return `≤ ${measure.maxMegabytes} MB`
  return '–'
}

function cellOf({ findings }: Column, row: string): string {
  const measure = findings.find((finding) => finding.row === row)?.measure
  return measure === undefined ? '–' : written(measure)
}

/** Of a rate: that of the server, its share of the bare program's, and the same of processor time. */
function written(measure: Measure): string {
  if (measure.kind === 'time') return `${measure.seconds.toFixed(2)} s`
  if (measure.kind === 'memory') return `${Math.round(measure.megabytes)} MB`
  if (measure.kind === 'growth') return `${measure.factor.toFixed(2)} ×`
  const rate = `${Math.round(measure.quire.perSecond).toLocaleString('en')}/s, ${percent(shareOf(measure))}`
  const share = processorShareOf(measure)
  if (share === undefined) return rate
  return `${rate}; ${((measure.quire.microseconds ?? 0) / 1_000).toFixed(2)} ms, ${percent(share)}`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
