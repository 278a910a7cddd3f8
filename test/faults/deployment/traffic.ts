import { Agent, request } from 'node:http'
import { basic } from '../../support/files.ts'

export interface Asked {
  /** What it is counted as. */
  readonly kind: string
  readonly method: string
  /** Below `/api/v1`. */
  readonly path: string
  readonly user: string
  readonly body?: object | Uint8Array
  readonly headers?: { readonly [name: string]: string }
}

export interface Answer {
  /** 0 when none came. */
  readonly status: number
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely, and a wrong guess fails the test
  readonly json: any
}

/** One request that is over; times are milliseconds of `performance.now()`. */
export interface Measured {
  readonly kind: string
  readonly started: number
  readonly ended: number
  readonly status: number
  /** Of one that failed: the sentence it was answered. */
  readonly reason?: string
}

/** Whoever sends requests, and keeps account of how long each took. */
export interface Traffic {
  readonly measured: readonly Measured[]
  send(asked: Asked): Promise<Answer>
  close(): void
}

// Longer than a server may take to say that its database is away.
const patienceMilliseconds = 60_000
const idleMilliseconds = 10_000

export function isFailure({ status }: Pick<Answer, 'status'>): boolean {
  return status === 0 || status >= 500
}

export function createTraffic(url: string): Traffic {
  const agent = new Agent({ keepAlive: true, timeout: idleMilliseconds })
  const { hostname: host, port } = new URL(url)
  const measured: Measured[] = []

  function exchange({ method, path, user, body, headers }: Asked): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const isBinary = body instanceof Uint8Array
    const sent = body === undefined || isBinary ? body : Buffer.from(JSON.stringify(body))
    const about = sent && {
      'content-type': isBinary ? 'application/octet-stream' : 'application/json',
      'content-length': sent.length,
    }
    const none = () => resolve({ status: 0, bytes: Buffer.alloc(0), json: undefined })
    const asking = request(
      { agent, host, port, method, path: `/api/v1${path}`, headers: { authorization: basic(user), ...about, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', none)
        response.once('end', () => resolve(answerOf(response.statusCode ?? 0, Buffer.concat(chunks), response.headers)))
      },
    )
    const late = setTimeout(() => asking.destroy(new Error('late')), patienceMilliseconds)
    asking.on('error', none)
    asking.once('close', () => clearTimeout(late))
    asking.end(sent)
    return promise
  }

  return {
    measured,
    async send(asked) {
      const started = performance.now()
      const answer = await exchange(asked)
      const { status, json } = answer
      const reason = isFailure(answer) ? { reason: String(json?.message ?? 'no answer') } : {}
      measured.push({ kind: asked.kind, started, ended: performance.now(), status, ...reason })
      return answer
    },
    close: () => agent.destroy(),
  }
}

function answerOf(status: number, bytes: Buffer, headers: { readonly 'content-type'?: string | undefined }): Answer {
  const isJson = headers['content-type']?.startsWith('application/json') === true && bytes.length > 0
  return { status, bytes, json: isJson ? JSON.parse(bytes.toString()) : undefined }
}
