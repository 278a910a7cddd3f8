import type { Tracer } from '../base/tracing.ts'
import type { SearchConnection, SqlStatement } from './sql/connection.ts'

interface TracedSearches {
  readonly tracer: Tracer | undefined
  readonly engine: 'postgresql' | 'sqlite'
  readonly repository: string
}

const longestQuery = 2_000

/** Records the statements of NXQL queries that no cache could answer. */
export function traceSearches(connection: SearchConnection, { tracer, engine, repository }: TracedSearches): SearchConnection {
  if (tracer?.isOn !== true) return connection
  const common = { 'db.system.name': engine, 'quire.repository': repository }
  const traced = <Result>({ nxql }: SqlStatement, search: () => Promise<Result>): Promise<Result> =>
    nxql === undefined
      ? search()
      : tracer.run({ name: 'search', kind: 'client', attributes: { ...common, 'db.query.text': withoutValues(nxql) } }, search)
  return {
    ...connection,
    all: (statement) => traced(statement, () => connection.all(statement)),
    get: (statement) => traced(statement, () => connection.get(statement)),
  }
}

/** What is looked for may be anything that documents hold; how it is looked for is what makes a search slow. */
export function withoutValues(nxql: string): string {
  return nxql
    .slice(0, longestQuery)
    .replace(/'(?:[^'\\]|\\.)*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$)/gs, '?')
    .replace(/(?<![\w:/.])\d[\d.]*/g, '?')
}
