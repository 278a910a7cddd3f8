import { parseIsoDate } from '../../../base/iso-date.ts'
import type { ValueType } from '../../../nxql/reference.ts'
import type { LogEntry } from '../../audit/index.ts'
import type { SearchCondition } from '../request/condition.ts'
import { type Cell, cellReader, columnType, type RowValue, valuesOf } from './row-fields.ts'

/** What is summarised of rows: the fields that are asked for, and which rows fulfil the conditions of aggregations. */
export interface RowTable {
  readonly length: number
  readonly columns: ReadonlyMap<string, readonly Cell[]>
  readonly conditions: ReadonlyMap<SearchCondition, readonly boolean[]>
}

/** A table to which rows are added one by one: of half a million rows a few values each are in memory, and not the rows. */
export function createRowTable(fields: readonly string[], tests: ReadonlyMap<SearchCondition, (entry: LogEntry) => boolean>) {
  const columns = fields.map((field) => ({ field, read: cellReader(field), cells: [] as Cell[] }))
  const conditions = [...tests].map(([condition, test]) => ({ condition, test, fulfilled: [] as boolean[] }))
  let length = 0
  return {
    add(entry: LogEntry): void {
      for (const { read, cells } of columns) cells.push(read(entry))
      for (const { test, fulfilled } of conditions) fulfilled.push(test(entry))
      length += 1
    },
    table: (): RowTable => ({
      length,
      columns: new Map(columns.map(({ field, cells }) => [field, cells])),
      conditions: new Map(conditions.map(({ condition, fulfilled }) => [condition, fulfilled])),
    }),
  }
}

export type Pause = () => Promise<void> | undefined

/** Rows of a table, by their places in it. */
export interface ChosenRows {
  readonly table: RowTable
  /** What fields were found to be, by what was wanted of them: to look at all values again for each bucket would take for ever. */
  readonly types: Map<string, ValueType | undefined>
  readonly rows: readonly number[]
  readonly pause: Pause
}

export interface TypedField {
  readonly written: string
  readonly type: ValueType
}

/** Every chosen row with its values of that type, in turns with other requests. */
export async function visitRows(
  { table, rows, pause }: ChosenRows,
  { written, type }: TypedField,
  visit: (values: readonly RowValue[], row: number) => void,
): Promise<void> {
  const cells = table.columns.get(written) ?? []
  const isTyped = columnType(written) === type
  for (const [index, row] of rows.entries()) {
    const waiting = index % rowsAtOnce === 0 ? pause() : undefined
    if (waiting !== undefined) await waiting
    visit(isTyped ? valuesOf(cells[row]) : typedValues(cells[row], type), row)
  }
}

const rowsAtOnce = 256

/** Dates are texts that sort as they follow each other. */
function typedValues(cell: Cell, type: ValueType): readonly RowValue[] {
  const values = valuesOf(cell)
  switch (type) {
    case 'long':
    case 'double':
      return values.filter((value) => typeof value === 'number')
    case 'date':
      return values.flatMap((value) => parseIsoDate(String(value)) ?? [])
    case 'string':
      return values.map(String)
    case 'boolean':
      return values
  }
}

/** The first in an order, of however many: those that cannot be among them are let go. */
export function createFirst<One>(wanted: number, compare: (one: One, other: One) => number) {
  let kept: One[] = []
  const list = (): One[] => kept.toSorted(compare).slice(0, wanted)
  return {
    list,
    add(one: One): void {
      if (wanted === 0) return
      kept.push(one)
      if (kept.length >= 2 * wanted + 1_000) kept = list()
    },
  }
}
