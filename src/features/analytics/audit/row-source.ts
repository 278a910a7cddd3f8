import type { AggregateField } from '../../../core/search/aggregates/aggregate-field.ts'
import type { AskSummary } from '../../../core/search/aggregates/aggregate-plan.ts'
import type { ValueType } from '../../../nxql/reference.ts'
import { refuse } from '../request/json-parts.ts'
import type { SummarySource, WantedValues } from '../results/summary-source.ts'
import { type Cell, columnType, type RowValue, valuesOf } from './row-fields.ts'
import { splitRows } from './row-parts.ts'
import { summariseValues } from './row-summaries.ts'
import type { ChosenRows, Pause, RowTable } from './row-table.ts'

/** All rows of a table. */
export function allRows(table: RowTable, pause: Pause): SummarySource {
  return rowSource({ table, pause, types: new Map(), rows: Array.from({ length: table.length }, (_, row) => row) })
}

function rowSource(chosen: ChosenRows): SummarySource {
  const { table, rows } = chosen
  const narrowed = (some: readonly number[]) => rowSource({ ...chosen, rows: some })
  return {
    count: async () => rows.length,
    findField(written, wanted) {
      const type = typeOf(chosen, written, wanted)
      if (type === undefined) return undefined
      const ask: AskSummary = async (summary, of = 'found') => {
        if (of === 'everything') refuse('Rows of the audit log have no significant terms.')
        return summariseValues(summary, chosen, { written, type })
      }
      return { field: fieldOf(type), ask }
    },
    split: async (parts) => (await splitRows(chosen, parts)).map(narrowed),
    where: (condition) => narrowed(rows.filter((row) => table.conditions.get(condition)?.[row] === true)),
  }
}

/** What plans of aggregates want of a field; no store is ever asked about it. */
function fieldOf(type: ValueType): AggregateField {
  return { summary: { kind: 'pathSegment', depth: 0 }, type, isOneOf: () => '1 = 0', nameOf: () => '' }
}

function typeOf({ table, types }: ChosenRows, written: string, wanted: WantedValues): ValueType | undefined {
  const known = columnType(written)
  if (known !== undefined) return known
  const asked = `${wanted} ${written}`
  if (!types.has(asked)) types.set(asked, typeFound(table.columns.get(written) ?? [], wanted))
  return types.get(asked)
}

/** What an event tells of its own is a number where all of it are, whatever rows are looked at. */
function typeFound(cells: readonly Cell[], wanted: WantedValues): ValueType | undefined {
  const kinds = new Set<string>()
  for (const cell of cells) for (const value of valuesOf(cell)) kinds.add(kindOf(value))
  if (kinds.size === 0) return undefined
  const isOfNumbers = [...kinds].every((kind) => kind === 'long' || kind === 'double')
  if (wanted === 'numbers') return kinds.has('double') || kinds.has('long') ? 'double' : 'string'
  if (wanted === 'dates') return 'date'
  if (kinds.size === 1) return [...kinds][0] as ValueType
  return isOfNumbers ? 'double' : 'string'
}

function kindOf(value: RowValue): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'long' : 'double'
  return typeof value
}
