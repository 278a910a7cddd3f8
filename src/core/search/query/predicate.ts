/** A condition of a where clause on what the client filled in; one that was left empty is left out. */
export interface Predicate {
  /** The property that is asked. */
  readonly property: string
  /** `=`, `IN`, `BETWEEN`, `FULLTEXT` …, in any case. A sub-clause has none. */
  readonly operator?: string
  /** A sub-clause is a text in NXQL, filled in as it is. */
  readonly kind?: 'atomic' | 'subClause'
  /** Where the client's choice of the operator is. */
  readonly operatorField?: SearchField
  /** Stands before the property as a hint. */
  readonly hint?: string
  /** Where the values are: one, or two for BETWEEN. */
  readonly fields: readonly SearchField[]
}

/** A property of the search document, or, without a schema, a named parameter. */
export type SearchField =
  | { readonly schema: string; readonly name: string }
  | { readonly xpath: string }
  | { readonly name: string }

/** A condition on what the fields of a search document's schema hold. */
export function criterion(schema: string, property: string, operator: string, ...names: readonly string[]): Predicate {
  return { property, operator, fields: names.map((name) => ({ schema, name })) }
}
