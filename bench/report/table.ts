import { unreachable } from '../../src/base/unreachable.ts'
import type { Pace } from '../rounds.ts'
import { type Finding, isWithinBound, type Measure, processorShareOf, shareOf } from './finding.ts'

const columns = { quire: 12, bare: 12, ratio: 8, bound: 10, verdict: 8, processor: 30 }

type Cells = { readonly [Column in keyof typeof columns]?: string }

const heading: Cells = { quire: 'Quire', bare: 'bare', ratio: 'ratio', bound: 'bound', processor: 'processor time' }

/** The findings as people read them, those of one repository together. */
export function tableOf(findings: readonly Finding[]): string {
  const titleWidth = Math.max(...findings.map(({ title }) => title.length))
  const line = (title: string, cells: Cells) => title.padEnd(titleWidth) + aligned(cells)
  const tables = [...Map.groupBy(findings, nameOfTable)].map(([name, group]) => {
    const lines = group.map(({ title, measure }) => line(title, { ...cellsOf(measure), verdict: verdictOn(measure) }))
    return [line(name, heading), ...lines].join('\n')
  })
  return tables.join('\n\n')
}

/** One finding, as soon as it is there: a row that fails later must not take it away. */
export function lineOf({ files, measure }: Finding): string {
  return `${counted(files)} documents${aligned({ ...cellsOf(measure), verdict: verdictOn(measure) })}`
}

function nameOfTable({ files, among, measure }: Finding): string {
  if (among !== undefined) return among
  if (measure.kind === 'growth') return `cost with ${counted(files)} documents`
  return files === 0 ? 'empty' : `${counted(files)} documents`
}

function aligned(cells: Cells): string {
  const columnNames = Object.keys(columns) as (keyof typeof columns)[]
  return columnNames
    .map((column) => (cells[column] ?? '').padStart(columns[column]))
    .join('')
    .trimEnd()
}

function cellsOf(measure: Measure): Cells {
  switch (measure.kind) {
    case 'rate':
      return rateCells(measure)
    case 'time':
      return { quire: seconds(measure.seconds), bare: seconds(measure.bareSeconds), bound: `≤ ${measure.maxSeconds} s` }
    case 'memory':
      return { quire: megabytes(measure.megabytes), bound: shown(measure.maxMegabytes, (max) => `≤ ${megabytes(max)}`) }
    case 'growth': {
      const { factor, processorFactor, maxFactor } = measure
      const bound = shown(maxFactor, (max) => `≤ ${times(max)}`)
      return { ratio: times(factor), bound, processor: shown(processorFactor, times) }
    }
    default:
      return unreachable(measure)
  }
}

function rateCells(measure: Extract<Measure, { kind: 'rate' }>): Cells {
  const { quire, bare, leastShare } = measure
  const share = shareOf(measure)
  const bound = shown(leastShare, (least) => `≥ ${percent(least)}`)
  const processor = shown(processorShareOf(measure), (of) => `${used(quire)} ${used(bare)} ${percent(of).padStart(6)}`)
  return { quire: rate(quire), bare: rate(bare), ratio: percent(share), bound, processor }
}

function shown(value: number | undefined, write: (value: number) => string): string {
  return value === undefined ? '' : write(value)
}

function verdictOn(measure: Measure): string {
  const isGood = isWithinBound(measure)
  if (isGood === undefined) return ''
  return isGood ? 'ok' : 'MISSED'
}

function counted(count: number): string {
  return Math.round(count).toLocaleString('en')
}

function rate({ perSecond }: Pace): string {
  return `${counted(perSecond)}/s`
}

function used({ microseconds = 0 }: Pace): string {
  return `${counted(microseconds)} µs`.padStart(9)
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function megabytes(size: number): string {
  return `${Math.round(size)} MB`
}

function times(factor: number): string {
  return `${factor.toFixed(2)}×`
}

function seconds(time: number): string {
  return `${time.toFixed(2)} s`
}
