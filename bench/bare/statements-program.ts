import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { sendJson, serveBare } from './bare-http.ts'
import { runAsBareProgram } from './bare-program.ts'

/** A statement in the words of both drivers. */
export interface BareStatement {
  readonly sql: string
  readonly text: string
  readonly values: readonly unknown[]
}

export interface StatementsSetup {
  readonly database: DatabasePlace
  /** What each turn asks; all turns have the same statements with other values. */
  readonly turns: readonly (readonly BareStatement[])[]
  /** The server's answer to one of them. */
  readonly answer: string
}

// The statements that answer a search, and writing an answer as large as the server's.
runAsBareProgram(async ({ database: place, turns, answer }: StatementsSetup) => {
  const database = await openBareDatabase(place)
  const [first = []] = turns
  // A statement of the template library has what the drivers read; more of it is not needed here.
  const prepared = first.map((statement) => database.prepare(statement as unknown as Parameters<typeof database.prepare>[0]))
  const content: unknown = JSON.parse(answer)
  let turn = 0

  async function answerOnce(): Promise<string> {
    const asked = turns[turn++ % turns.length] ?? []
    for (const [index, run] of prepared.entries()) await run(asked[index]?.values ?? [])
    return JSON.stringify(content)
  }
  return {
    url: await serveBare(async (_, response) => sendJson(response, Buffer.from(await answerOnce()))),
    once: async () => void (await answerOnce()),
  }
})
