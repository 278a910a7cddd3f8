import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WholeAnswer } from '../http/call.ts'

/** A server of `node:http` and nothing else. Gives its address. */
export async function serveBare(listener: RequestListener): Promise<string> {
  // A long statement stops this process for seconds; connections that wait meanwhile are not idle.
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, connectionsCheckingInterval: 60_000 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** The bytes of the server's answer from its first header to its last brace, made once. */
export function answerSender({ headers, body }: WholeAnswer): (response: ServerResponse) => void {
  const [head, bytes] = [[...headers], Buffer.from(body)]
  return (response) => void response.writeHead(200, head).end(bytes)
}

export function sendJson(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}
