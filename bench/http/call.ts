/** One request to a server. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** With the leading slash. */
  readonly path: string
  /** The password is the name. */
  readonly user: string
  /** Headers that say who asks in place of the password. */
  readonly credentials?: { readonly [name: string]: string }
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
}

/** Where a server listens. */
export interface Target {
  readonly host: string
  readonly port: number
}

export function targetOf(url: string): Target {
  const { hostname: host, port } = new URL(url)
  return { host, port: Number(port) }
}

/** The bytes of the request; all characters are ASCII. */
export function textOf(call: Call): string {
  return `${headOf(call, call.body?.length)}${call.body ?? ''}`
}

/** The same without the body, of which so many bytes follow. */
export function headOf(call: Call, bodyLength?: number): string {
  const headers = {
    host: 'localhost',
    ...headersOf(call),
    ...(bodyLength !== undefined && { 'content-length': bodyLength }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${call.method} ${call.path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** An answer as a bare program would have to send it. */
export interface WholeAnswer {
  /** Names and values by turns, without those that `node:http` adds by itself. */
  readonly headers: readonly string[]
  readonly body: string
}

const addedByNode = ['date', 'connection', 'keep-alive']

/** The answer, which must be a good one. */
export async function answerTo(call: Call, { host, port }: Target): Promise<WholeAnswer> {
  const { method, path, body: sent = null } = call
  // As the load asks: with none of the encodings that fetch would accept by itself.
  const headers = { 'accept-encoding': 'identity', ...headersOf(call) }
  const response = await fetch(`http://${host}:${port}${path}`, { method, headers, body: sent })
  const body = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${body.slice(0, 500)}`)
  return { headers: [...response.headers].filter(([name]) => !addedByNode.includes(name)).flat(), body }
}

/** Those that say who asks, and what is sent. */
export function headersOf({ user, credentials, headers, body }: Call): { [name: string]: string } {
  const password = { authorization: `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}` }
  return { ...(credentials ?? password), ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }
}
