import type { WholeAnswer } from '../http/call.ts'
import { answerSender, serveBare } from './bare-http.ts'
import { runAsBareProgram } from './bare-program.ts'

// Sends the same bytes to everybody, head and body.
runAsBareProgram(async (answer: WholeAnswer) => {
  const send = answerSender(answer)
  return { url: await serveBare((_, response) => send(response)) }
})
