/** What searches may cost, so that none of them is felt by any client but its own. */
export interface SearchLimits {
  /** A search that takes longer is stopped. */
  readonly timeLimitMilliseconds: number
  /** The same of one that has to see what its request has written, for which all writers wait in the embedded database. */
  readonly whileWritingMilliseconds: number
  /** How many processes the embedded database may have for its long searches. */
  readonly processes: number
  /** How many somebody may have running at the same time; 0 or absent: as many as there are places for. */
  readonly perUser?: number
  /** One that takes as long is told of in the log; 0 or absent: none is. */
  readonly slowMilliseconds?: number
}

export const defaultSearchLimits: SearchLimits = {
  timeLimitMilliseconds: 30_000,
  whileWritingMilliseconds: 250,
  processes: 2,
}
