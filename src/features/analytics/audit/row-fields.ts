import { findJson } from '../../../base/json.ts'
import type { LogEntry } from '../../audit/index.ts'
import { idField } from '../request/condition.ts'

/** What a row has in a field: nothing, one value, or several that differ. */
export type Cell = undefined | RowValue | readonly RowValue[]
export type RowValue = string | number | boolean

interface Column {
  readonly name: keyof LogEntry
  readonly type: 'string' | 'long' | 'date'
}

const texts = [
  'eventId',
  'category',
  'principalName',
  'docUUID',
  'docType',
  'docPath',
  'docLifeCycle',
  'repositoryId',
  'comment',
] as const
const columns: ReadonlyMap<string, Column> = new Map<string, Column>([
  [idField, { name: 'id', type: 'long' }],
  ['id', { name: 'id', type: 'long' }],
  ['eventDate', { name: 'eventDate', type: 'date' }],
  ['logDate', { name: 'logDate', type: 'date' }],
  ...texts.map((name): [string, Column] => [name, { name, type: 'string' }]),
])
const extendedPrefix = 'extended.'

/** The type of a column; undefined for what rows tell beside their columns, which has none of its own. */
export function columnType(field: string): 'string' | 'long' | 'date' | undefined {
  return columns.get(field)?.type
}

/** Gives what rows have in the field, also in what an event tells of its own: `extended.workflowVariables.amount`. */
export function cellReader(field: string): (entry: LogEntry) => Cell {
  const column = columns.get(field)?.name
  if (column !== undefined) return (entry) => (entry[column] ?? undefined) as Cell
  if (!field.startsWith(extendedPrefix)) return () => undefined
  const path = field.slice(extendedPrefix.length).split('.')
  return ({ extended }) => {
    const found = [...new Set(toldValues(extended, path))]
    return found.length > 1 ? found : found[0]
  }
}

/** What an event tells as the text of JSON is there under the rest of its name: `searchDocumentModel` of `searchDocumentModelAsJson`. */
function toldValues(extended: { readonly [name: string]: unknown }, path: readonly string[]): readonly RowValue[] {
  const [name = '', ...rest] = path
  const written = Object.hasOwn(extended, name) ? undefined : extended[`${name}AsJson`]
  return typeof written === 'string' ? valuesAt(findJson(written), rest) : valuesAt(extended, path)
}

function valuesAt(value: unknown, path: readonly string[]): readonly RowValue[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path))
  const [name, ...rest] = path
  if (name === undefined)
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [value] : []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
  return valuesAt((value as { readonly [name: string]: unknown })[name], rest)
}

export function valuesOf(cell: Cell): readonly RowValue[] {
  return cell === undefined ? [] : typeof cell === 'object' ? cell : [cell]
}
