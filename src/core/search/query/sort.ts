/** A column to order by. */
export interface Sort {
  readonly column: string
  readonly isAscending: boolean
}

export const ascending = (column: string): Sort => ({ column, isAscending: true })
export const descending = (column: string): Sort => ({ column, isAscending: false })
export const byTitle = [ascending('dc:title')]
