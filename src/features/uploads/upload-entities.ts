import { stringifyJson } from '../../base/json.ts'
import type { UploadedFile } from '../../core/uploads/batch-files.ts'
import type { UploadBatch } from '../../core/uploads/batches.ts'
import type { PlacedChunk } from '../../core/uploads/place-chunk.ts'
import type { Answer } from '../../rest/answer.ts'
import { bytesAnswer, eitherAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'

const uploadType = Type.Enum(['normal', 'chunked'])
const chunkFields = {
  uploadedChunkIds: Type.Optional(Type.Array(Type.Integer(), { description: 'Chunks that are here; only of a chunked file' })),
  chunkCount: Type.Optional(Type.Integer({ description: 'Only of a chunked file' })),
}

export const batchIdSchema = Type.Object({ batchId: Type.String() }, { $id: 'UploadBatchId' })

export const fileInfoSchema = Type.Object(
  {
    name: Type.Nullable(Type.String()),
    size: Type.Integer({ description: 'Bytes; of a chunked file what X-File-Size said' }),
    uploadType,
    ...chunkFields,
  },
  { $id: 'UploadedFile' },
)

export const batchInfoSchema = Type.Object(
  {
    provider: Type.String({ description: 'The handler of the batch' }),
    batchId: Type.String(),
    fileEntries: Type.Array(fileInfoSchema),
  },
  { $id: 'UploadBatch' },
)

export const uploadSchema = Type.Object(
  {
    uploaded: Type.Literal('true'),
    batchId: Type.String(),
    fileIdx: Type.String(),
    uploadType,
    uploadedSize: Type.String({ description: 'Bytes that this request brought' }),
    ...chunkFields,
  },
  { $id: 'Upload' },
)

export const completedSchema = Type.Object(
  { uploaded: Type.Literal('true'), batchId: Type.String(), fileIdx: Type.String() },
  { $id: 'CompletedUpload' },
)

/** A form that a page sent into a frame of its own is answered with a page. */
export function uploadAnswer(description: string) {
  return eitherAnswer(description, [uploadSchema, bytesAnswer('the same in a page, for a form', 'text/html')])
}

/** Clients of uploads look for the charset, which other answers do not have. */
export function uploadJson(body: object, status = 200): Answer {
  return { kind: 'text', status, contentType: 'application/json; charset=UTF-8', text: stringifyJson(body) }
}

/** For a form that a page sent into a frame of its own: what is in there must be a page. */
export function uploadPage(body: object, status: number): Answer {
  return { kind: 'text', status, contentType: 'text/html; charset=UTF-8', text: `<html>${stringifyJson(body)}</html>` }
}

export function fileInfo({ mark, chunkIds }: UploadedFile): Static<typeof fileInfoSchema> {
  const { name } = mark
  if (mark.kind === 'normal') return { name, size: mark.blob.length, uploadType: 'normal' }
  const { size, chunkCount } = mark
  return { name, size, uploadType: 'chunked', uploadedChunkIds: chunkIds, chunkCount }
}

export function batchInfo({ id, handler }: UploadBatch, files: readonly UploadedFile[]): Static<typeof batchInfoSchema> {
  return { provider: handler, batchId: id, fileEntries: files.map(fileInfo) }
}

export function uploaded(
  batchId: string,
  fileIdx: string,
  length: number,
  placed: PlacedChunk | undefined,
): Static<typeof uploadSchema> {
  const common = {
    uploaded: 'true',
    batchId,
    fileIdx,
    uploadType: placed ? 'chunked' : 'normal',
    uploadedSize: String(length),
  } as const
  return placed ? { ...common, uploadedChunkIds: placed.chunkIds, chunkCount: placed.chunkCount } : common
}
