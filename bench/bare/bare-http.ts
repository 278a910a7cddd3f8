import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WholeAnswer } from '../http/call.ts'

/** A server of `node:http` and nothing else. Gives its address. */
export async function serveBare(listener: RequestListener): Promise<string> {
  // A long statement stops this process for seconds; connections that wait meanwhile are not idle.
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, connectionsCheckingInterval: 60_000 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** The JSON that was sent. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  const ended = Promise.withResolvers<void>()
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', ended.resolve)
  await ended.promise
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** The bytes of the server's answer from its first header to its last brace, made once. */
export function answerSender({ headers, body }: WholeAnswer): (response: ServerResponse) => void {
  const [head, bytes] = [[...headers], Buffer.from(body)]
  return (response) => void response.writeHead(200, head).end(bytes)
}

/** The same for answers that differ in a few words. */
export function differingSender({
  headers,
  body,
}: WholeAnswer): (response: ServerResponse, words: ReadonlyMap<string, string>) => void {
  const head = headers.filter((_, index) => headers[index - (index % 2)] !== 'content-length')
  return (response, words) => {
    let text = body
    for (const [from, to] of words) text = text.replaceAll(from, to)
    const bytes = Buffer.from(text)
    response.writeHead(200, [...head, 'content-length', String(bytes.length)]).end(bytes)
  }
}

export function sendJson(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}
