import type { Contender } from '../rounds.ts'
import type { ServedSite } from '../site.ts'

/** Work whose rate is compared with that of a bare program that does the same. */
export interface RateRow {
  readonly name: string
  readonly title: string
  /** The least share of the bare program's rate; a row without it is for information. */
  readonly leastShare?: number
  /** The only database on which there is something to measure. */
  readonly engine?: 'sqlite'
  /** A larger repository brings more to find and to count, so that the bare program takes longer as well. */
  readonly growsWithMatches?: true
  prepare(site: ServedSite): Promise<{ readonly quire: Contender; readonly bare: Contender }>
}
