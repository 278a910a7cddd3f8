import type { WholeAnswer } from '../http/call.ts'
import { type BareDatabase, type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { answerSender, serveBare } from './bare-http.ts'
import { runAsBareProgram } from './bare-program.ts'

/** A statement in the words of both drivers. */
export interface BareStatement {
  readonly sql: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** What is asked of the database in one turn. */
export interface BareTurn<Statement = BareStatement> {
  /** Run each time. */
  readonly statements: readonly Statement[]
  /** Gives the total, where the answer has one that the page does not show. */
  readonly count?: Statement
}

export interface StatementsSetup {
  readonly database: DatabasePlace
  /** All turns have the same statements with other values. */
  readonly turns: readonly BareTurn[]
  /** Nobody writes, so that a total stays what it is, and the server remembers it; or each is counted anew. */
  readonly remembersTotals: boolean
  /** The server's answer to one of them. */
  readonly answer: WholeAnswer
}

// The statements that answer a search, and the bytes of the server's answer.
runAsBareProgram(async ({ database: place, turns, remembersTotals, answer }: StatementsSetup) => {
  const database = await openBareDatabase(place)
  const [first] = turns
  const statements = (first?.statements ?? []).map((statement) => prepare(database, statement))
  const count = first?.count && prepare(database, first.count)
  const counted = new Set<BareTurn>()
  const send = answerSender(answer)
  let turn = 0

  async function askOnce(): Promise<void> {
    const asked = turns[turn++ % turns.length] as BareTurn
    for (const [index, run] of statements.entries()) await run(asked.statements[index]?.values ?? [])
    if (count === undefined || counted.has(asked)) return
    await count(asked.count?.values ?? [])
    if (remembersTotals) counted.add(asked)
  }
  return {
    url: await serveBare(async (_, response) => {
      await askOnce()
      send(response)
    }),
    once: askOnce,
  }
})

/** A statement of the template library has what the drivers read; more of it is not needed here. */
function prepare(database: BareDatabase, statement: BareStatement): ReturnType<BareDatabase['prepare']> {
  return database.prepare(statement as unknown as Parameters<BareDatabase['prepare']>[0])
}
