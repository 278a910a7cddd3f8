/** A column to order by. */
export interface Sort {
  readonly column: string
  readonly isAscending: boolean
}
