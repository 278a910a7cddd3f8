import { DatabaseSync } from 'node:sqlite'
import type { Sql } from 'sql-template-tag'
import { postgresDialect } from '../../src/store/postgres/postgres-dialect.ts'
import type { Dialect } from '../../src/store/sql/dialect.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'
import { startBareProgram } from '../bare/bare-program.ts'
import type { BareStatement, BareTurn, StatementsSetup } from '../bare/statements-program.ts'
import { answerTo, type Call, textOf, type WholeAnswer } from '../http/call.ts'
import type { NextRequest } from '../http/load.ts'
import { reader } from '../load/people.ts'
import type { ServedSite } from '../site.ts'
import { answeringFromCache, bareAnswering, bareWorking, takingTurns } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

/** What a list or a search is about in one turn, as the server is asked and as the leanest program would ask the database. */
export interface SearchTurn extends BareTurn<Sql> {
  /** Below `/api/v1`. */
  readonly path: string
}

export interface SearchRow extends Omit<RateRow, 'prepare'> {
  /** Fewer than usual where one search takes as long as a measurement. */
  readonly connections?: number
  /** That documents are shown with. */
  readonly headers?: { readonly [name: string]: string }
  /** Whether totals are remembered, as they are while nobody writes; else each request has another limit to count up to. */
  readonly remembersTotals?: boolean
  /** Whether another process commits before each request, so that nothing is remembered of those before it. */
  readonly forgets?: boolean
  /** Whether the bare program works without HTTP. */
  readonly inLoop?: boolean
  /** Several turns, so that no answer is at hand from the turn before. */
  turns(site: ServedSite, asking: Asking): readonly SearchTurn[]
}

/** What the statements of a bare search need. */
export interface Asking {
  readonly dialect: Dialect
  /** That the reader may see documents with a list of entries, in this column. */
  isReadable(column: Sql): Sql
}

/** A list or a search over HTTP against the SQL that answers the same question. */
export function searchRow(search: SearchRow): RateRow {
  const { turns, connections, headers = {}, remembersTotals = true, forgets = false, inLoop, ...row } = search
  return {
    ...row,
    async prepare(site) {
      const { database } = site.place
      const dialect = database.engine === 'sqlite' ? sqliteDialect : postgresDialect
      const readable = site.folders[0]?.filter.readableAcps ?? []
      const asked = turns(site, { dialect, isReadable: (column) => dialect.isAmong(column, readable) })
      const calls = asked.map(({ path }): Call => ({ method: 'GET', path: `/api/v1${path}`, user: reader.name, headers }))
      const turn = remembersTotals || forgets ? takingTurns(calls) : countingAnew(calls)
      const committing = forgets && database.engine === 'sqlite' ? openCommitting(database.file) : undefined
      const next = committing === undefined ? turn : committing.before(turn)
      const answer = await findAnswer(calls, site)
      const setup: StatementsSetup = { database, turns: asked.map(bareTurn), remembersTotals, answer }
      const program = await startBareProgram(new URL('../bare/statements-program.ts', import.meta.url), setup)
      const quire = answeringFromCache(site.server, next, calls.length, connections)
      return {
        quire: { ...quire, stop: async () => committing?.close() },
        bare: inLoop ? bareWorking(program) : bareAnswering(program, next, connections),
      }
    },
  }
}

/** The row, and the same with every total counted for its request. */
export function withAndWithoutTotals(row: SearchRow): readonly RateRow[] {
  const { name, title, leastShare: _, ...rest } = row
  const counted = { ...rest, name: `${name}-counted`, title: `${title}; counted each time`, remembersTotals: false }
  return [searchRow(row), searchRow(counted)]
}

/** The row when something was committed before each request: pages are found, and totals counted, anew. */
export function whenForgotten(row: SearchRow): RateRow {
  const { name, title, leastShare: _, ...rest } = row
  const forgotten = { name: `${name}-anew`, title: `${title}; after a commit`, remembersTotals: false, forgets: true }
  return searchRow({ ...rest, ...forgotten, engine: 'sqlite' })
}

/** Commits as another process of the server does that has changed no document. What that costs the client is not measured. */
function openCommitting(file: string): { before(next: NextRequest): NextRequest; close(): void } {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec('PRAGMA synchronous = OFF')
  const commit = database.prepare("INSERT INTO committed_changes (writer, documents, directories) VALUES (0, '[]', 0)")
  return {
    before: (next) => () => {
      commit.run()
      return next()
    },
    close: () => database.close(),
  }
}

/** Totals are remembered with how far they were counted: beyond all there is, each time a little further. */
function countingAnew(calls: readonly Call[]): NextRequest {
  let turn = 0
  return () => {
    const call = calls[turn % calls.length] as Call
    return textOf({ ...call, path: `${call.path}&maxResults=${100_000_000 + turn++}` })
  }
}

/** A search that finds nothing would measure nothing. */
async function findAnswer([first]: readonly Call[], { server }: ServedSite): Promise<WholeAnswer> {
  if (first === undefined) throw new Error('There is nothing to search for.')
  const answer = await answerTo(first, server.target)
  if (JSON.parse(answer.body).entries.length === 0) throw new Error(`${first.path} finds nothing.`)
  return answer
}

function bareTurn({ statements, count }: SearchTurn): BareTurn {
  return { statements: statements.map(bareStatement), ...(count && { count: bareStatement(count) }) }
}

function bareStatement({ sql, text, values }: Sql): BareStatement {
  return { sql, text, values }
}

/** The address of a query. */
export function queryPath(query: string, parameters: { readonly [name: string]: string } = {}): string {
  return `/search/execute?${new URLSearchParams({ query, pageSize: '50', ...parameters })}`
}
