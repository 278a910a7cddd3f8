import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { invalid, refuse } from './compute-problems.ts'

export interface ListOrder {
  readonly by: 'name' | 'created'
  readonly isDescending: boolean
}

/** Where a page ended: what it is ordered by, and the id where two are alike. */
export interface PageKey {
  readonly value: string
  readonly id: string
}

const orders: { readonly [text: string]: ListOrder } = {
  name: { by: 'name', isDescending: false },
  'name asc': { by: 'name', isDescending: false },
  'creationTimestamp desc': { by: 'created', isDescending: true },
  'creationTimestamp asc': { by: 'created', isDescending: false },
}

/** @throws faultyRequest */
export function parseOrder(text = ''): ListOrder {
  const wanted = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^creation_timestamp\b/, 'creationTimestamp')
  const order = wanted === '' ? orders['name'] : orders[wanted]
  const shown = text.slice(0, 100)
  return (
    order ??
    refuse(invalid(`Invalid value for field 'orderBy': '${shown}'. Use one of: ${Object.keys(orders).join(', ')}.`, 'orderBy'))
  )
}

/** The condition for what comes after a key. */
export function after(column: Sql, { isDescending }: ListOrder, from: PageKey | undefined): Sql {
  if (from === undefined) return empty
  return sql`AND (${column}, id) ${raw(isDescending ? '<' : '>')} (${from.value}, ${from.id})`
}

export function orderedBy(column: Sql, { isDescending }: ListOrder): Sql {
  const direction = raw(isDescending ? 'DESC' : 'ASC')
  return sql`ORDER BY ${column} ${direction}, id ${direction}`
}
