import { serveBare } from './bare-http.ts'
import { runAsBareProgram } from './bare-program.ts'

export interface AnswerSetup {
  /** Names and values by turns. */
  readonly headers: readonly string[]
  readonly body: string
}

// Sends the same bytes to everybody, head and body.
runAsBareProgram(async ({ headers, body }: AnswerSetup) => {
  const bytes = Buffer.from(body)
  const head = [...headers]
  return { url: await serveBare((_, response) => response.writeHead(200, head).end(bytes)) }
})
