import { Readable } from 'node:stream'
import {
  limited,
  type RemoteFile,
  type RemoteLimits,
  remoteRefused,
  remoteUnreachable,
  requireWebAddress,
} from '../../core/outgoing/remote-limits.ts'

// A user who lets the server fetch addresses reaches what only the server reaches. Only administrators may; what they name is
// fetched by http and https alone, within a time, up to a size, and a redirection leads no further than a few steps.

const maxRedirections = 5

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
  requireWebAddress(url)
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
