import type { Readable } from 'node:stream'
import { defineProblem } from '../base/problem.ts'
import type { IncomingRequest } from './incoming-request.ts'

export const bodyTooLarge = defineProblem(
  'bodyTooLarge',
  'tooLarge',
  (of: { maxBytes: number }) => `The request body is larger than the ${of.maxBytes} bytes allowed here.`,
)

export const compressedBody = defineProblem(
  'compressedBody',
  'unsupportedMediaType',
  (of: { encoding: string }) => `Request bodies with Content-Encoding ${of.encoding} are not supported. Send it uncompressed.`,
)

export interface ByteLimits {
  readonly maxBytes: number
  readonly stallSeconds: number
}

// A form is looked into for its token before anybody is let in; the second reader gets the same bytes.
const alreadyRead = new WeakMap<IncomingRequest, Buffer>()

export function hasBody({ headers }: IncomingRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  return length !== undefined && length !== '0'
}

/** The media type of the body without its parameters, in lower case; undefined when none is given. */
export function mediaType({ headers }: IncomingRequest): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
}

/** The whole body. @throws bodyTooLarge as soon as that is known; compressedBody */
export async function readBytes(request: IncomingRequest, limits: ByteLimits): Promise<Buffer> {
  const known = alreadyRead.get(request)
  if (known !== undefined) return known
  const { headers, raw } = request
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw compressedBody({ encoding })
  if (Number(headers['content-length'] ?? 0) > limits.maxBytes) throw bodyTooLarge({ maxBytes: limits.maxBytes })
  raw.setTimeout(limits.stallSeconds * 1000, () => raw.destroy())
  const bytes = await collect(raw, limits.maxBytes)
  raw.setTimeout(0)
  alreadyRead.set(request, bytes)
  return bytes
}

/** By events: an iterator over the stream costs every small body more than reading it. */
function collect(stream: Readable, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const collected: Buffer[] = []
  let length = 0
  const onData = (chunk: Buffer) => {
    length += chunk.length
    collected.push(chunk)
    if (length <= maxBytes) return
    // Whoever answers decides what becomes of the rest.
    stream.off('data', onData).pause()
    reject(bodyTooLarge({ maxBytes }))
  }
  const onClose = () => reject(new Error('The connection was closed before the end of the body.'))
  stream.on('data', onData)
  stream.once('end', () => {
    stream.off('close', onClose)
    resolve(collected.length === 1 && collected[0] !== undefined ? collected[0] : Buffer.concat(collected))
  })
  stream.once('error', reject)
  stream.once('close', onClose)
  return promise
}
