import type { WholeAnswer } from '../http/call.ts'
import { answerSender, serveBare } from './bare-http.ts'
import { runAsBareProgram } from './bare-program.ts'

// Reads the JSON that it is sent, and then sends the same bytes to everybody, head and body.
runAsBareProgram(async (answer: WholeAnswer) => {
  const send = answerSender(answer)
  return {
    url: await serveBare((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        JSON.parse(Buffer.concat(chunks).toString())
        send(response)
      })
    }),
  }
})
