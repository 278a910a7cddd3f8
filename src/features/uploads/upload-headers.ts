import { defineProblem } from '../../base/problem.ts'
import type { SentChunk } from '../../core/uploads/place-chunk.ts'
import { decodeBytes } from '../../rest/request/part-headers.ts'
import type { ApiRequest } from '../../rest/request/request.ts'
import { mayBeStored } from '../../store/storable-text.ts'

export const malformedFileName = defineProblem(
  'malformedFileName',
  'invalid',
  (of: { name: string }) => `X-File-Name is not percent-encoded UTF-8: ${of.name}`,
)

export const notANumber = defineProblem(
  'notANumber',
  'invalid',
  (of: { header: string; value: string }) => `The header ${of.header} of a chunk must be a whole number, not '${of.value}'.`,
)

type Headers = ApiRequest['headers']

/** What the headers of an upload say about the file. */
export interface UploadHeaders {
  readonly name: string | null
  readonly mimeType: string | null
  /** Undefined when the file is sent in one piece. */
  readonly chunk: SentChunk | undefined
}

/** @throws notANumber, malformedFileName */
export function parseUploadHeaders(headers: Headers): UploadHeaders {
  const chunk = headerOf(headers, 'x-upload-type') === 'chunked' ? parseChunk(headers) : undefined
  return {
    chunk,
    name: parseFileName(headerOf(headers, 'x-file-name')),
    mimeType: parseFileType(headerOf(headers, 'x-file-type')),
  }
}

/** Form encoding, in which `+` is a space; bytes of UTF-8 may also stand there as they are. */
export function parseFileName(header: string | undefined): string | null {
  if (header === undefined) return null
  try {
    const decoded = decodeURIComponent(decodeBytes(header).replaceAll('+', ' '))
    // That the store refuses it would be found out after the bytes have come.
    if (mayBeStored(decoded)) return decoded
  } catch {
    // Told below.
  }
  throw malformedFileName({ name: header })
}

/** Clients send bare words, and empty headers. */
export function parseFileType(header: string | undefined): string | null {
  if (header === undefined) return null
  if (header === '') return 'application/octet-stream'
  return header.includes('/') ? header : `application/${header}`
}

function parseChunk(headers: Headers): SentChunk {
  return {
    index: parseNumber(headers, 'X-Upload-Chunk-Index'),
    count: parseNumber(headers, 'X-Upload-Chunk-Count'),
    fileSize: parseNumber(headers, 'X-File-Size'),
  }
}

function parseNumber(headers: Headers, header: string): number {
  const value = headerOf(headers, header.toLowerCase()) ?? ''
  const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(number)) throw notANumber({ header, value })
  return number
}

function headerOf(headers: Headers, name: string): string | undefined {
  const header = headers[name]
  return (typeof header === 'string' ? header : header?.join(', '))?.trim()
}
