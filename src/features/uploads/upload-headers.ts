import { defineProblem } from '../../base/problem.ts'
import type { SentChunk } from '../../core/uploads/place-chunk.ts'
import { Type } from '../../rest/openapi/schema.ts'
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

/** What an upload heeds. They are read here, because an empty one says something and bytes of UTF-8 may stand in a name. */
export const uploadHeaders = Type.Object({
  'X-File-Name': Type.Optional(Type.String({ description: 'Percent-encoded' })),
  'X-File-Type': Type.Optional(Type.String({ description: 'The media type' })),
  'X-Upload-Type': Type.Optional(Type.Enum(['normal', 'chunked'])),
  'X-Upload-Chunk-Index': Type.Optional(Type.Integer({ description: 'Of a chunk, counted from 0' })),
  'X-Upload-Chunk-Count': Type.Optional(Type.Integer({ description: 'Of how many chunks the file is' })),
  'X-File-Size': Type.Optional(Type.Integer({ description: 'Bytes of the whole file; needed with chunks' })),
})

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
