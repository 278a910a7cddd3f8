import { Readable } from 'node:stream'
import { defineProblem } from '../../base/problem.ts'
import type { TraceParent } from '../../base/tracing.ts'

// A user who lets the server fetch addresses reaches what only the server reaches. Only administrators may; what they name is
// fetched by http and https alone, within a time, up to a size, and a redirection leads no further than a few steps.

export const remoteRefused = defineProblem(
  'remoteRefused',
  'invalid',
  (of: { url: string; reason: string }) => `${of.url} ${of.reason}.`,
)

export const remoteUnreachable = defineProblem(
  'remoteUnreachable',
  'unprocessable',
  (of: { url: string }) => `${of.url} gave no answer, or not in time. Check the address, or try again later.`,
)

export const remoteFileTooLarge = defineProblem(
  'remoteFileTooLarge',
  'tooLarge',
  (of: { url: string; maxBytes: number }) =>
    `The file at ${of.url} is larger than the ${of.maxBytes} bytes that may be uploaded.`,
)

/** How far a call may go. */
export interface RemoteLimits {
  readonly millis: number
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** What the call is a part of. */
  readonly trace?: TraceParent | undefined
}

/** What another server sent. */
export interface RemoteFile {
  readonly content: Readable
  readonly mimeType: string | null
}

const maxRedirections = 5

export function isWebAddress({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

/**
 * Fetches the file at an address. The caller reads it to its end or destroys it.
 * @throws remoteRefused, remoteUnreachable, remoteFileTooLarge; the last two while it is read, too
 */
export async function fetchFile(url: URL, { maxBytes, ...limits }: RemoteLimits): Promise<RemoteFile> {
  const answer = await follow(url, signalOf(limits), { ...limits.trace })
  const content = Readable.from(limited(url, reached(url, answer), maxBytes), { objectMode: false })
  return { content, mimeType: answer.headers.get('content-type') }
}

async function follow(url: URL, signal: AbortSignal, headers: Record<string, string>): Promise<Response> {
  let at = url
  for (let redirections = 0; redirections <= maxRedirections; redirections++) {
    const answer = await call(at, { headers, redirect: 'manual', signal })
    const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null
    if (location === null) return requireSuccess(url, answer)
    await answer.body?.cancel()
    if (!URL.canParse(location, at)) throw remoteRefused({ url: url.href, reason: 'leads to something that is no address' })
    at = new URL(location, at)
  }
  throw remoteRefused({ url: url.href, reason: `leads on more than ${maxRedirections} times` })
}

export interface FileToPost {
  readonly content: Readable
  readonly contentType: string
  readonly contentDisposition: string
}

/** @throws remoteRefused, remoteUnreachable */
export async function postFile(url: URL, file: FileToPost, limits: Omit<RemoteLimits, 'maxBytes'>): Promise<void> {
  const headers = { 'Content-Type': file.contentType, 'Content-Disposition': file.contentDisposition, ...limits.trace }
  const signal = signalOf(limits)
  const answer = await call(url, { method: 'POST', headers, body: file.content, duplex: 'half', redirect: 'manual', signal })
  await (await requireSuccess(url, answer)).body?.cancel()
}

async function call(url: URL, request: RequestInit): Promise<Response> {
  if (!isWebAddress(url)) throw remoteRefused({ url: url.href, reason: 'is neither an http nor an https address' })
  if (url.username !== '' || url.password !== '') {
    throw remoteRefused({ url: url.origin, reason: 'was given with a name and a password, which are not passed on' })
  }
  try {
    return await fetch(url, request)
  } catch (error) {
    throw remoteUnreachable({ url: url.href }, { cause: error })
  }
}

async function requireSuccess(url: URL, answer: Response): Promise<Response> {
  if (answer.ok) return answer
  await answer.body?.cancel()
  throw remoteRefused({ url: url.href, reason: `was answered with status ${answer.status}` })
}

function signalOf({ millis, signal }: Omit<RemoteLimits, 'maxBytes'>): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(millis), signal])
}

/** Takes the whole answer: of one that is collected as garbage before it is read, Node ends the body, and the file would be empty. */
async function* reached({ href: url }: URL, answer: Response): AsyncGenerator<Uint8Array> {
  try {
    if (answer.body !== null) yield* answer.body
  } catch (error) {
    throw remoteUnreachable({ url }, { cause: error })
  }
}

async function* limited({ href: url }: URL, bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > maxBytes) throw remoteFileTooLarge({ url, maxBytes })
    yield chunk
  }
}
