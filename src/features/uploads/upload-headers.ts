import { defineProblem } from '../../base/problem.ts'
import type { SentChunk } from '../../core/uploads/place-chunk.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { readHeaders } from '../../rest/payload/declared-input.ts'
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

const number = (description: string) =>
  Type.Refused(Type.Integer({ description }), ({ name: header, value }) => notANumber({ header, value: String(value ?? '') }))

/** What a chunk needs. They are looked at only where there is one. */
const chunkHeaders = Type.Object({
  'X-Upload-Chunk-Index': number('Of a chunk, counted from 0'),
  'X-Upload-Chunk-Count': number('Of how many chunks the file is'),
  'X-File-Size': number('Bytes of the whole file; needed with chunks'),
})

const kindHeaders = Type.Object({
  'X-Upload-Type': Type.Parsed((text) => (text === 'chunked' ? text : 'normal'), { enum: ['normal', 'chunked'] }),
})

const fileHeaders = Type.Object({
  'X-File-Name': Type.Parsed(parseFileName, { description: 'Percent-encoded' }),
  'X-File-Type': Type.Parsed(parseFileType, { description: 'The media type' }),
})

/** What an upload heeds. */
export const uploadHeaders = Type.Object({
  ...fileHeaders.properties,
  ...kindHeaders.properties,
  'X-Upload-Chunk-Index': Type.Optional(chunkHeaders.properties['X-Upload-Chunk-Index']),
  'X-Upload-Chunk-Count': Type.Optional(chunkHeaders.properties['X-Upload-Chunk-Count']),
  'X-File-Size': Type.Optional(chunkHeaders.properties['X-File-Size']),
})

/** What the headers of an upload say about the file. */
export interface UploadHeaders {
  readonly name: string | null
  readonly mimeType: string | null
  /** Undefined when the file is sent in one piece. */
  readonly chunk: SentChunk | undefined
}

/** @throws notANumber, malformedFileName */
export function readUploadHeaders(request: Pick<ApiRequest, 'headers'>): UploadHeaders {
  const { 'X-Upload-Type': kind } = readHeaders(kindHeaders, request)
  const chunk = kind === 'chunked' ? readChunk(request) : undefined
  const { 'X-File-Name': name = null, 'X-File-Type': mimeType = null } = readHeaders(fileHeaders, request)
  return { chunk, name, mimeType }
}

function readChunk(request: Pick<ApiRequest, 'headers'>): SentChunk {
  const chunk = readHeaders(chunkHeaders, request)
  return { index: chunk['X-Upload-Chunk-Index'], count: chunk['X-Upload-Chunk-Count'], fileSize: chunk['X-File-Size'] }
}

/** Form encoding, in which `+` is a space; bytes of UTF-8 may also stand there as they are. */
export function parseFileName(header: string): string {
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
export function parseFileType(header: string): string {
  if (header === '') return 'application/octet-stream'
  return header.includes('/') ? header : `application/${header}`
}
