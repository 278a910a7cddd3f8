import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** One address before several servers, as operators have it. */
export interface Balancer {
  readonly url: string
  /** Whether the server at this place was ready when it was last asked. */
  isReady(at: number): boolean
  stop(): Promise<void>
}

interface Upstream {
  readonly host: string
  readonly port: number
  isReady: boolean
  inFlight: number
}

const betweenLooksMilliseconds = 250
// As long as a server may take to find out what is wrong with it.
const lookMilliseconds = 5_000
// Less than servers wait on an idle connection, so that none is closed in the moment in which it is used.
const idleMilliseconds = 5_000
const harmless: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Passes requests on to the server that has the fewest. `/health/ready` tells which may have some; one that refuses a connection gets none
 * before it has said so anew. What changes nothing, or has not been sent yet, is asked of another server; for all else a server that went
 * away in the middle is 502, and the client's to decide.
 */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const upstreams = urls.map((url): Upstream => {
    const { hostname, port } = new URL(url)
    return { host: hostname, port: Number(port), isReady: false, inFlight: 0 }
  })
  const agent = new Agent({ keepAlive: true, timeout: idleMilliseconds })

  function pass(incoming: IncomingMessage, answer: ServerResponse, tried: readonly Upstream[]): void {
    const upstream = leastBusy(upstreams, tried)
    if (upstream === undefined) return void refuse(answer, 503)
    const { host, port } = upstream
    const { method, url: path } = incoming
    const outgoing = request({ agent, host, port, method, path, headers: incoming.headers })
    upstream.inFlight += 1
    outgoing.once('close', () => {
      upstream.inFlight -= 1
    })
    answer.once('close', () => {
      if (!answer.writableFinished) outgoing.destroy()
    })
    let isSent = false
    outgoing.once('socket', (socket) => {
      const send = () => {
        isSent = true
        incoming.pipe(outgoing)
      }
      if (socket.connecting) socket.once('connect', send)
      else send()
    })
    const again = () => pass(incoming, answer, [...tried, upstream])
    outgoing.on('error', () => {
      if (!isSent) upstream.isReady = false
      if (answer.headersSent || answer.destroyed) answer.destroy()
      else if (!isSent || harmless.has(method)) again()
      else refuse(answer, 502)
    })
    outgoing.once('response', (response) => {
      const isElsewhere = response.statusCode === 503 && harmless.has(method) && leastBusy(upstreams, [...tried, upstream])
      if (isElsewhere) {
        response.resume()
        return again()
      }
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
      response.on('error', () => answer.destroy())
    })
  }

  const server = createServer((incoming, answer) => pass(incoming, answer, []))
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let isOver = false
  const watching = upstreams.map(async (upstream) => {
    while (!isOver) {
      upstream.isReady = await answersReady(upstream)
      await pause(betweenLooksMilliseconds)
    }
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    isReady: (at) => upstreams[at]?.isReady ?? false,
    async stop() {
      isOver = true
      await Promise.all(watching)
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function leastBusy(upstreams: readonly Upstream[], tried: readonly Upstream[]): Upstream | undefined {
  const able = upstreams.filter((upstream) => upstream.isReady && !tried.includes(upstream))
  return able.toSorted((left, right) => left.inFlight - right.inFlight)[0]
}

/** On a connection of its own: one that is open tells nothing of whether a new one would be. */
function answersReady({ host, port }: Upstream): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const asked = get({ agent: false, host, port, path: '/health/ready', timeout: lookMilliseconds }, (response) => {
    resolve(response.statusCode === 200)
    response.resume()
  })
  asked.once('timeout', () => asked.destroy(new Error('no answer')))
  asked.once('error', () => resolve(false))
  return promise
}

function refuse(answer: ServerResponse, status: 502 | 503): void {
  const message = status === 503 ? 'No server is ready.' : 'The server went away before it had answered.'
  answer.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' })
  answer.end(JSON.stringify({ 'entity-type': 'exception', status, message }))
}
