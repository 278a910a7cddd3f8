import type { Sql } from 'sql-template-tag'
import type { Query } from '../../../nxql/query.ts'
import { type PreparedSearch, prepare } from './search-run.ts'

/** Keeps what is made of a query as long as the query itself is kept. */
export interface PreparedSearches {
  /** `form` tells the statements of one query apart. */
  find(query: Query, form: string, make: () => Sql): PreparedSearch
  /** Several that belong together. */
  findAll(query: Query, form: string, make: () => readonly Sql[]): readonly PreparedSearch[]
}

export function createPreparedSearches(): PreparedSearches {
  const kept = new WeakMap<Query, Map<string, readonly PreparedSearch[]>>()

  function findAll(query: Query, form: string, make: () => readonly Sql[]): readonly PreparedSearch[] {
    const forms = kept.get(query) ?? new Map<string, readonly PreparedSearch[]>()
    kept.set(query, forms)
    const known = forms.get(form) ?? make().map(prepare)
    forms.set(form, known)
    return known
  }
  return {
    findAll,
    find: (query, form, make) => findAll(query, form, () => [make()])[0] as PreparedSearch,
  }
}
