import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of `node:http` and nothing else. Gives its address. */
export async function serveBare(listener: RequestListener): Promise<string> {
  // A long statement stops this process for seconds; connections that wait meanwhile are not idle.
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, connectionsCheckingInterval: 60_000 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

export function sendJson(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}
