import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Call, headersOf, targetOf } from '../../bench/http/call.ts'

/** Sends requests over so many connections that stay open; `fetch` would take several times the processor time. */
export interface HttpClient {
  /** Settles when the whole answer is there. @throws when it is not a good one */
  send(call: Call): Promise<void>
  close(): void
}

export function createHttpClient(url: string, connections: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { host, port } = targetOf(url)
  return {
    send(call) {
      const { method, path, body } = call
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const sent = request({ agent, host, port, method, path, headers: { ...headersOf(call), ...length } }, (response) => {
        const { statusCode = 0 } = response
        if (statusCode >= 300) reject(new Error(`${method} ${path} was answered with ${statusCode}.`))
        response.resume().once('end', resolve)
      })
      sent.once('error', reject).end(body)
      return promise
    },
    close: () => agent.destroy(),
  }
}

const betweenLooksMilliseconds = 2

/** Sends each request at its time, whether those before were answered or not. Gives how many milliseconds each took from then on. */
export async function sendAtRate(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  send: () => Promise<void>,
): Promise<readonly number[]> {
  const started = performance.now()
  const underWay: Promise<number>[] = []
  while (underWay.length < perSecond * seconds) {
    const passed = Math.min(seconds, (performance.now() - started) / 1_000)
    while (underWay.length < Math.floor(perSecond * passed)) underWay.push(timed(send))
    await pause(betweenLooksMilliseconds)
  }
  return Promise.all(underWay)
}

async function timed(send: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await send()
  return performance.now() - started
}
