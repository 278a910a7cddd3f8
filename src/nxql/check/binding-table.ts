import type { QueryTally } from '../query-limits.ts'
import type { Binding, BindingId } from '../reference.ts'

/** The wildcards of one query, in the order in which they are met: an outer one before those inside its item. */
export interface BindingTable {
  /** The binding of a list: by the number of a correlated wildcard always the same, without one always another. */
  bind(list: BoundList, correlation: string): BindingId
  /** Notes that each item makes a row. */
  makeRows(id: BindingId, options: { readonly needsItem: boolean }): void
  list(): readonly Binding[]
}

interface BoundList {
  readonly list: Binding['list']
  /** Tells lists apart, also those inside items of different bindings. */
  readonly identity: string
  readonly parent?: BindingId
}

/** @param tally counts the wildcards; without one they are not limited, as where a name stands by itself. */
export function createBindingTable(tally?: QueryTally): BindingTable {
  const bindings: Binding[] = []
  const correlated = new Map<string, BindingId>()
  return {
    bind: ({ list, identity, parent }, correlation) => {
      const key = `${identity}/*${correlation}`
      const known = correlation === '' ? undefined : correlated.get(key)
      if (known !== undefined) return known
      const id = bindings.length
      tally?.add('wildcards', 0)
      bindings.push({ id, list, makesRows: false, needsItem: false, ...(parent !== undefined && { parent }) })
      correlated.set(key, id)
      return id
    },
    makeRows: (id, { needsItem }) => {
      const binding = bindings[id]
      if (binding !== undefined) bindings[id] = { ...binding, makesRows: true, needsItem: binding.needsItem || needsItem }
    },
    list: () => bindings,
  }
}
