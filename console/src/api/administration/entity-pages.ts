/** What administrators see of the server; a change there asks for all of it anew. */
export const administrationKeys = { all: ['administration'] as const }

/** One page of a list of any length, as the API shows all of them. */
export interface EntityPage<Row> {
  readonly entries: readonly Row[]
  readonly resultsCount: number
}

export const rowsAtOnce = 50

/** A list of any length: named by what is asked for, and fetched a page at a time. */
export interface EntityPages<Row> {
  readonly key: readonly unknown[]
  fetch(page: number, signal: AbortSignal): Promise<EntityPage<Row>>
}

/** A list that the API gives as a whole, for what there are a few of. */
export function pagesOfWhole<Row>(
  key: readonly unknown[],
  list: (signal: AbortSignal) => Promise<readonly Row[]>,
): EntityPages<Row> {
  return {
    key,
    async fetch(page, signal) {
      const entries = await list(signal)
      return { entries: entries.slice(page * rowsAtOnce, (page + 1) * rowsAtOnce), resultsCount: entries.length }
    },
  }
}
