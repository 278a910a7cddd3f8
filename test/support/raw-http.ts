import { connect, type Socket } from 'node:net'

/** What came back over a connection until it was closed. */
export interface RawAnswer {
  /** Undefined when the connection was closed without an answer. */
  readonly status: number | undefined
  readonly head: string
  readonly text: string
  /** The text as JSON; undefined when it is none. */
  readonly json: { readonly [field: string]: unknown } | undefined
}

export interface RawRequest {
  readonly method: string
  /** As it is to stand in the request line, byte by byte. */
  readonly path: string
  readonly headers?: readonly string[]
  readonly body?: string | Uint8Array | undefined
}

const patienceSeconds = 20

/** A request as bytes, with nothing corrected: a client library would refuse to send half of what these tests send. */
export function requestBytes({ method, path, headers = [], body }: RawRequest): Buffer {
  const content = Buffer.from(body ?? '')
  const hasLength = body === undefined || headers.some((header) => /^(content-length|transfer-encoding):/i.test(header))
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers]
  if (!hasLength) lines.push(`Content-Length: ${content.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content])
}

/** Sends bytes and gives all that is answered until the server closes the connection. */
export function sendBytes(port: number, bytes: Uint8Array, { thenEnd = false } = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.setTimeout(patienceSeconds * 1000, () =>
      socket.destroy(new Error('The server neither answered nor closed the connection.')),
    )
    let failure: NodeJS.ErrnoException | undefined
    socket.on('error', (error) => {
      failure = error
    })
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      // A server that refuses a body may reset the connection while we still send; what it said before counts.
      const wasReset = failure === undefined || failure.code === 'EPIPE' || failure.code === 'ECONNRESET'
      if (wasReset) resolve(parseAnswer(Buffer.concat(chunks).toString('utf8')))
      else reject(failure)
    })
    socket.on('connect', () => send(socket, bytes, thenEnd))
  })
}

function send(socket: Socket, bytes: Uint8Array, thenEnd: boolean): void {
  if (thenEnd) socket.end(bytes)
  else socket.write(bytes)
}

function parseAnswer(received: string): RawAnswer {
  const end = received.indexOf('\r\n\r\n')
  const head = end < 0 ? received : received.slice(0, end)
  const text = end < 0 ? '' : received.slice(end + 4)
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]
  return { status: status === undefined ? undefined : Number(status), head, text, json: parseObject(text) }
}

function parseObject(text: string): RawAnswer['json'] {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}
