import type { Readable } from 'node:stream'
import { readHeaders } from '../payload/declared-input.ts'
import { contentHeaders } from './declared-headers.ts'
import { decodeBytes, isFilePart } from './part-headers.ts'
import type { ApiRequest } from './request.ts'
import { readParts } from './sent-parts.ts'

/** The file of a form, still coming in. */
export interface FilePart {
  readonly name: string | null
  /** Null when the part does not say. */
  readonly contentType: string | null
  readonly content: Readable
}

export interface SentForm<File> {
  /** What became of the first file; undefined when the form has none. */
  readonly file: File | undefined
  readonly fields: ReadonlyMap<string, string>
}

export function isForm(request: Pick<ApiRequest, 'headers'>): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(readHeaders(contentHeaders, request)['Content-Type'] ?? '')
}

// More than any field that we look at; the rest of a longer one is passed over.
const fieldBytes = 64 * 1024
const maxFields = 1000

/**
 * Reads a `multipart/form-data` body. The first file is handed to `take` while it comes in, and nothing of it is buffered here;
 * what `take` made of it is given when the whole form was seen to be sound.
 * @throws malformedForm, and what `take` and `openBody` throw
 */
export async function readForm<File>(
  request: ApiRequest,
  limits: { readonly maxBytes: number },
  take: (part: FilePart) => Promise<File>,
): Promise<SentForm<File>> {
  const fields = new Map<string, string>()
  let hasFile = false
  const [file] = await readParts(request, limits, ({ facts, content }) => {
    if (!isFilePart(facts)) readField(content, facts.field, fields)
    if (!isFilePart(facts) || hasFile) return undefined
    hasFile = true
    return take({ name: facts.fileName ?? null, contentType: facts.contentType ?? null, content })
  })
  return { file, fields }
}

function readField(part: Readable, name: string | undefined, fields: Map<string, string>): void {
  if (name === undefined || fields.size >= maxFields) return
  let text = ''
  part.on('data', (chunk: Buffer) => {
    if (text.length < fieldBytes) text += chunk.toString('latin1', 0, fieldBytes - text.length)
  })
  part.on('end', () => fields.set(name, decodeBytes(text)))
}
