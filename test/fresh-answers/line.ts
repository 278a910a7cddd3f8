import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { childrenOf } from '../support/process-family.ts'
import type { Program } from '../support/program.ts'

export interface LineCall {
  readonly method: string
  /** Below `/api/v1`. */
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
}

export interface LineAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** One connection to a server that stays open, and so leads to the same process unless the server moves it. */
export interface Line {
  /** The password of the user is its name. */
  call(user: string, call: LineCall): Promise<LineAnswer>
  /** Its end at this side. */
  port(): number
  close(): void
}

// The same for all servers, so that addresses in their answers are the same, and what they repeat.
const alike = { host: 'localhost', 'x-request-id': 'alike' }

export function openLine(url: string): Line {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let socket: Socket | undefined
  return {
    async call(user, { method, path, headers, body }) {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
      const sent = request(new URL(`api/v1${path}`, url), {
        method,
        agent,
        auth: `${user}:${user}`,
        headers: { 'content-type': 'application/json', ...alike, ...headers },
      })
      sent.once('socket', (used) => {
        socket = used
      })
      sent.once('response', resolve)
      sent.once('error', reject)
      sent.end(body)
      const response = await promise
      return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
    },
    port: () => socket?.localPort ?? 0,
    close: () => agent.destroy(),
  }
}

const maxTries = 200

/** A line to each worker of the program. All of them accept from one socket, so which one a new line leads to is a matter of luck. */
export async function linesToWorkers(program: Program, workers: number): Promise<readonly Line[]> {
  const lines = new Map<number, Line>()
  for (let tries = 0; lines.size < workers; tries++) {
    if (tries === maxTries) throw new Error(`Only ${lines.size} of ${workers} workers accept connections.`)
    const line = openLine(program.url)
    await line.call('Administrator', { method: 'GET', path: '/me' })
    const owner = ownerOf(line.port(), childrenOf(program.startedId))
    if (owner === undefined || lines.has(owner)) line.close()
    else lines.set(owner, line)
  }
  return [...lines.values()]
}

/** Which of the processes has the other end of a connection of this one, as Linux tells. */
export function ownerOf(port: number, processes: readonly number[]): number | undefined {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const row = rows.map((line) => line.trim().split(/\s+/)).find((columns) => columns[2]?.endsWith(remote))
  const socket = `socket:[${row?.[9]}]`
  return processes.find((id) => descriptorsOf(id).includes(socket))
}

function descriptorsOf(process: number): readonly string[] {
  const folder = `/proc/${process}/fd`
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)]
    } catch {
      return [] // it was closed meanwhile
    }
  })
}
