import type { Readable } from 'node:stream'
import { defineProblem } from '../../base/problem.ts'
import type { TraceParent } from '../../base/tracing.ts'

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

export function isWebAddress({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

/** @throws remoteRefused */
export function requireWebAddress(url: URL): void {
  if (!isWebAddress(url)) throw remoteRefused({ url: url.href, reason: 'is neither an http nor an https address' })
  if (url.username !== '' || url.password !== '') {
    throw remoteRefused({ url: url.origin, reason: 'was given with a name and a password, which are not passed on' })
  }
}

/** @throws remoteFileTooLarge */
export async function* limited(
  { href: url }: URL,
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > maxBytes) throw remoteFileTooLarge({ url, maxBytes })
    yield chunk
  }
}
