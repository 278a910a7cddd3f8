import type { AnswerSetup } from './answer-program.ts'
import { serveBare } from './bare-http.ts'
import { runAsBareProgram } from './bare-program.ts'

// Reads the JSON that it is sent, and then sends the same bytes to everybody, head and body.
runAsBareProgram(async ({ headers, body }: AnswerSetup) => {
  const bytes = Buffer.from(body)
  const head = [...headers]
  return {
    url: await serveBare((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        JSON.parse(Buffer.concat(chunks).toString())
        response.writeHead(200, head).end(bytes)
      })
    }),
  }
})
