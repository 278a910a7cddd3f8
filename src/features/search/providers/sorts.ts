import type { Sort } from '../../../core/search/sort.ts'

export const ascending = (column: string): Sort => ({ column, isAscending: true })
export const descending = (column: string): Sort => ({ column, isAscending: false })
export const byTitle = [ascending('dc:title')]
