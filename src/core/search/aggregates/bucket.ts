import type { IsoDate } from '../../../base/iso-date.ts'

/** How many of the documents have one value, or a value of one range. */
export type AggregateBucket =
  | { readonly kind: 'term'; readonly key: string; readonly count: number }
  /** From inclusive, to exclusive; an open end is null. */
  | {
      readonly kind: 'range'
      readonly key: string
      readonly count: number
      readonly from: number | null
      readonly to: number | null
    }
  | {
      readonly kind: 'dateRange'
      readonly key: string
      readonly count: number
      readonly from: IsoDate | null
      readonly to: IsoDate | null
    }
