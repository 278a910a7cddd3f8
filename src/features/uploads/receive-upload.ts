import { defineProblem } from '../../base/problem.ts'
import { requireQuota } from '../../core/uploads/limits.ts'
import type { FileFacts } from '../../core/uploads/place-file.ts'
import type { Uploads } from '../../core/uploads/uploads.ts'
import { readHeaders } from '../../rest/payload/declared-input.ts'
import { contentHeaders } from '../../rest/request/declared-headers.ts'
import type { ApiRequest } from '../../rest/request/request.ts'
import { isForm, readForm } from '../../rest/request/sent-form.ts'
import type { StoredBlob } from '../../store/blobs/blob-store.ts'
import type { UploadHeaders } from './upload-headers.ts'

export const formWithoutFile = defineProblem(
  'formWithoutFile',
  'invalid',
  (_: object) => 'The form has no file. Send one as a part with a file name, or the bytes of the file as the whole body.',
)

export interface FormRules {
  /** Forms are looked into for the file; otherwise they are files themselves. */
  readonly readsForms: boolean
}

export interface ReceivedUpload {
  readonly blob: StoredBlob
  readonly facts: FileFacts
  readonly isForm: boolean
}

/**
 * Stores the bytes of an upload as they come in; nothing refers to them yet.
 * @throws formWithoutFile, malformedForm, bodyTooLarge, batchTooLarge, uploadsFull, noSpaceLeft
 */
export async function receiveUpload(
  uploads: Uploads,
  batchId: string,
  request: ApiRequest,
  headers: UploadHeaders,
  { readsForms }: FormRules,
): Promise<ReceivedUpload> {
  const { rules, store, blobs } = uploads
  const { 'Content-Length': announced = 0 } = readHeaders(contentHeaders, request)
  // What is too much for one request is refused as such when the body is opened.
  const bytes = announced > rules.maxBytes ? 0 : announced
  const left = await requireQuota(store.reader.transient, rules, batchId, bytes, uploads.now())
  const limits = { maxBytes: Math.min(rules.maxBytes, left) }
  const { name, mimeType } = headers
  if (!readsForms || !isForm(request)) {
    return { blob: await blobs.write(request.openBody(limits)), facts: { name, mimeType }, isForm: false }
  }
  const { file } = await readForm(request, limits, async ({ content, ...part }) => ({ part, blob: await blobs.write(content) }))
  if (file === undefined) throw formWithoutFile({})
  const { part, blob } = file
  const facts = {
    name: headers.chunk === undefined ? part.name : name,
    mimeType: mimeType ?? part.contentType ?? 'application/octet-stream',
  }
  return { blob, facts, isForm: true }
}
