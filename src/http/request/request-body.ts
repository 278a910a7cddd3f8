import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { type JsonLimits, parseJsonBytes } from '../../rest/render/json-bytes.ts'
import { parseFormBytes } from '../../rest/request/url-encoded-form.ts'

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

const compressedTransfer = defineProblem(
  'compressedTransfer',
  'unsupportedMediaType',
  (of: { encoding: string }) => `Request bodies with Transfer-Encoding ${of.encoding} are not supported. Send it uncompressed.`,
)

export interface ByteLimits {
  readonly maxBytes: number
  readonly stallSeconds: number
}

/** A request whose body is still to be read. */
export interface BodySource {
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
  /** Tells a client that waits for it to send the body. */
  askForBody(): void
  /** Told of the bytes as they are read; for the digest of an idempotent request. */
  readonly tap: ((bytes: Uint8Array) => void) | undefined
  /** The whole body, once it was read: a form is looked into for its token before authentication. */
  bytesRead: Buffer | undefined
}

export function hasBody({ headers }: Pick<BodySource, 'headers'>): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  return length !== undefined && length !== '0'
}

/** The media type of the body without its parameters, in lower case; undefined when none is given. */
export function mediaType({ headers }: Pick<BodySource, 'headers'>): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
}

/** The whole body. @throws bodyTooLarge as soon as that is known; compressedBody */
export async function readBytes(request: BodySource, limits: ByteLimits): Promise<Buffer> {
  if (request.bytesRead !== undefined) return request.bytesRead
  askForBytes(request, limits)
  const { raw } = request
  // This resumes when the packet that brought the head has been parsed, and a small body is in the same one.
  await undefined
  request.bytesRead = hasArrived(request) ? takeArrived(raw, limits.maxBytes) : await waitForBytes(raw, limits)
  return request.bytesRead
}

function hasArrived({ raw, headers }: BodySource): boolean {
  if (raw.readableDidRead || raw.destroyed) return false
  return raw.complete || String(raw.readableLength) === headers['content-length']
}

function takeArrived(raw: IncomingMessage, maxBytes: number): Buffer {
  if (raw.readableLength > maxBytes) throw bodyTooLarge({ maxBytes })
  const chunks: Buffer[] = []
  for (let chunk: Buffer | null = raw.read(); chunk !== null; chunk = raw.read()) chunks.push(chunk)
  return joined(chunks)
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}

async function waitForBytes(raw: IncomingMessage, { maxBytes, stallSeconds }: ByteLimits): Promise<Buffer> {
  raw.setTimeout(stallSeconds * 1000, () => raw.destroy())
  const bytes = await collect(raw, maxBytes)
  raw.setTimeout(0)
  return bytes
}

/** Refuses what can be refused before it is sent, and asks for the rest. @throws bodyTooLarge, compressedBody, compressedTransfer */
export function askForBytes(request: BodySource, { maxBytes }: ByteLimits): void {
  const { headers } = request
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw compressedBody({ encoding })
  const transfer = headers['transfer-encoding'] ?? 'chunked'
  if (transfer.toLowerCase() !== 'chunked') throw compressedTransfer({ encoding: transfer })
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge({ maxBytes })
  request.askForBody()
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
    // The code that answers decides what becomes of the rest.
    stream.off('data', onData).pause()
    reject(bodyTooLarge({ maxBytes }))
  }
  const onClose = () => reject(bodyBrokenOff())
  // The client may be gone by now, and no event will say so.
  if (stream.destroyed && !stream.readableEnded) onClose()
  stream.on('data', onData)
  stream.once('end', () => {
    stream.off('close', onClose)
    resolve(joined(collected))
  })
  stream.once('error', reject)
  stream.once('close', onClose)
  return promise
}

/** There is no client left to tell. */
export function bodyBrokenOff(): Error {
  return new Error('The connection was closed before the end of the body.')
}

const notJson = defineProblem(
  'notJson',
  'unsupportedMediaType',
  (of: { mediaType: string | undefined }) =>
    `A request body must have the Content-Type application/json, not ${of.mediaType ?? 'none'}.`,
)

type BodyLimits = ByteLimits & JsonLimits

const jsonMediaType = /^application\/json(\+(nxentity|nxrequest|esentity))?$/

/**
 * The JSON of a request; undefined when it has no body, whatever its content type says.
 * @throws notJson, malformedJson, bodyTooLarge, tooManyValues, nestedTooDeep
 */
export async function readJsonBody(request: BodySource, limits: BodyLimits): Promise<Json | undefined> {
  if (!hasBody(request)) return undefined
  const type = mediaType(request)
  const bytes = await readBytes(request, limits)
  if (bytes.length === 0) return undefined
  if (type === undefined || !jsonMediaType.test(type)) throw notJson({ mediaType: type })
  return parseJsonBytes(bytes, limits)
}

// As curl calls whatever it is told to send with -d.
const formType = 'application/x-www-form-urlencoded'

const noJsonInForm = defineProblem(
  'noJsonInForm',
  'invalid',
  (_: object) =>
    `The Content-Type ${formType} is that of a form, and this one has no field jsondata. Send the JSON as application/json, or in that field.`,
)

/**
 * The same for what may be sent as a form, too: the JSON is then its field `jsondata`. A body of several parts is left to
 * handlers that want them.
 * @throws noJsonInForm, or what the other does
 */
export async function readJsonOrForm(request: BodySource, limits: BodyLimits): Promise<Json | undefined> {
  const type = mediaType(request)
  if (type?.startsWith('multipart/')) return undefined
  if (type !== formType || !hasBody(request)) return readJsonBody(request, limits)
  const bytes = await readBytes(request, limits)
  if (bytes.length === 0) return undefined
  const sent = parseFormBytes(bytes).get('jsondata')
  if (sent === null) throw noJsonInForm({})
  return parseJsonBytes(Buffer.from(sent), limits)
}
