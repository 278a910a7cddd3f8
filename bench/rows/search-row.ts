import type { Sql } from 'sql-template-tag'
import { postgresDialect } from '../../src/store/postgres/postgres-dialect.ts'
import type { Dialect } from '../../src/store/sql/dialect.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'
import { startBareProgram } from '../bare/bare-program.ts'
import type { BareStatement, StatementsSetup } from '../bare/statements-program.ts'
import { answerTo, type Call } from '../http/call.ts'
import { reader } from '../load/people.ts'
import type { ServedSite } from '../site.ts'
import { answering, bareAnswering, takingTurns } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

/** What a search is about in one turn, as the server is asked and as a person would ask the database. */
export interface SearchTurn {
  /** Below `/api/v1/search`. */
  readonly path: string
  readonly statements: readonly Sql[]
}

export interface SearchRow extends Omit<RateRow, 'prepare'> {
  /** Fewer than usual where one search takes as long as a measurement. */
  readonly connections?: number
  /** Several turns, so that no answer is at hand from the turn before. */
  turns(site: ServedSite, asking: Asking): readonly SearchTurn[]
}

/** What the statements of a bare search need. */
export interface Asking {
  readonly dialect: Dialect
  /** The lists of entries whose documents the reader may see. */
  readonly readable: Sql
}

/** A search over HTTP against the SQL that answers the same question. */
export function searchRow({ turns, connections, ...row }: SearchRow): RateRow {
  return {
    ...row,
    async prepare(site) {
      const { database } = site.place
      const dialect = database.engine === 'sqlite' ? sqliteDialect : postgresDialect
      const readable = dialect.oneOfNumbers(site.folders[0]?.filter.readableAcps ?? [])
      const asked = turns(site, { dialect, readable })
      const calls = asked.map(({ path }): Call => ({ method: 'GET', path: `/api/v1/search${path}`, user: reader.name }))
      const next = takingTurns(calls)
      const answer = await findAnswer(calls, site)
      const setup: StatementsSetup = { database, turns: asked.map(({ statements }) => statements.map(bareStatement)), answer }
      const program = await startBareProgram(new URL('../bare/statements-program.ts', import.meta.url), setup)
      return { quire: answering(site.server, next, connections), bare: bareAnswering(program, next, connections) }
    },
  }
}

/** A search that finds nothing would measure nothing. */
async function findAnswer([first]: readonly Call[], { server }: ServedSite): Promise<string> {
  if (first === undefined) throw new Error('There is nothing to search for.')
  const { body } = await answerTo(first, server.target)
  if (JSON.parse(body).entries.length === 0) throw new Error(`${first.path} finds nothing.`)
  return body
}

function bareStatement({ sql, text, values }: Sql): BareStatement {
  return { sql, text, values }
}

/** The address of a query. */
export function queryPath(query: string, parameters: { readonly [name: string]: string } = {}): string {
  return `/execute?${new URLSearchParams({ query, pageSize: '50', ...parameters })}`
}
