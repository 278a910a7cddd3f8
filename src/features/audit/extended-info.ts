import { stringifyJson } from '../../base/json.ts'
import { madeStorable } from '../../store/storable-text.ts'

/** How deep values may lie in each other, and how long the whole may become: deeper ones are left out, and what is longer. */
const maxDepth = 10
const maxLength = 100_000

type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain }

/** These properties of an event as the JSON of a row; null where it has none of them. Documents and files are not plain values. */
export function extendedOf(properties: { readonly [name: string]: unknown }, names: readonly string[] | 'all'): string | null {
  const wanted = names === 'all' ? Object.keys(properties) : names
  const members = membersOf(properties, wanted, 0)
  if (members.length === 0) return null
  const text = madeStorable(stringifyJson(Object.fromEntries(members)))
  return text.length <= maxLength ? text : null
}

function membersOf(values: { readonly [name: string]: unknown }, names: readonly string[], depth: number): [string, Plain][] {
  const members: [string, Plain][] = []
  for (const name of names) {
    const plain = Object.hasOwn(values, name) ? plainOf(values[name], depth) : undefined
    if (plain !== undefined) members.push([name, plain])
  }
  return members
}

/** Undefined for what no row holds. */
function plainOf(value: unknown, depth: number): Plain | undefined {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return madeStorable(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object' || value === undefined || depth === maxDepth) return undefined
  if (Array.isArray(value)) return value.map((item) => plainOf(item, depth + 1)).filter((item) => item !== undefined)
  if (isBlob(value)) return undefined
  return Object.fromEntries(membersOf(value as { readonly [name: string]: unknown }, Object.keys(value), depth + 1))
}

function isBlob(value: object): boolean {
  return 'digest' in value && 'length' in value
}
