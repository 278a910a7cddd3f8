import sql from 'sql-template-tag'
import type { ChildrenFilter, SortKey } from '../../src/store/documents.ts'
import type { Dialect } from '../../src/store/sql/dialect.ts'
import { childrenCount, childrenPage } from '../../src/store/sql/documents/children-statements.ts'
import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { sendJson, serveBare } from './bare-http.ts'
import { runAsBareProgram } from './bare-program.ts'

export interface PageSetup {
  readonly database: DatabasePlace
  /** One for each folder, as the server would ask for the reader. */
  readonly filters: readonly ChildrenFilter[]
  readonly sort: readonly SortKey[]
  readonly size: number
  readonly countLimit: number
  /** The server's answer for one of the folders. */
  readonly answer: string
}

// The two statements that a page of children takes, and writing an answer as large as the server's.
runAsBareProgram(async ({ database: place, filters, sort, size, countLimit, answer }: PageSetup) => {
  const database = await openBareDatabase(place)
  // The rights come with each statement, as nobody would keep lists of them in a table for a page.
  const dialect: Dialect = {
    ...database.dialect,
    isAmong: (column, values) => sql`${column} ${database.dialect.oneOfNumbers(values)}`,
  }
  const pages = filters.map((filter) => childrenPage(dialect, filter, sort, size, 0))
  const counts = filters.map((filter) => childrenCount(dialect, filter, countLimit))
  const listPage = prepareFirst(pages)
  const countAll = prepareFirst(counts)
  const content: unknown = JSON.parse(answer)
  let turn = 0

  function prepareFirst(statements: typeof pages) {
    const [first] = statements
    if (first === undefined) throw new Error('There is no folder to read.')
    return database.prepare(first)
  }
  async function readPage(): Promise<string> {
    const folder = turn++ % filters.length
    await listPage(pages[folder]?.values ?? [])
    await countAll(counts[folder]?.values ?? [])
    return JSON.stringify(content)
  }
  return {
    url: await serveBare(async (_, response) => sendJson(response, Buffer.from(await readPage()))),
    once: async () => void (await readPage()),
  }
})
