import type { WholeAnswer } from '../http/call.ts'
import { answerSender, readJson, serveBare } from './bare-http.ts'
import { runAsBareProgram } from './bare-program.ts'

// Reads the JSON that it is sent, and then sends the same bytes to everybody, head and body.
runAsBareProgram(async (answer: WholeAnswer) => {
  const send = answerSender(answer)
  return {
    url: await serveBare(async (request, response) => {
      await readJson(request)
      send(response)
    }),
  }
})
