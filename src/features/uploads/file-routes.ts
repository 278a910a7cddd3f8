import { defineProblem } from '../../base/problem.ts'
import { findFile, isComplete, parseIndex, type UploadedFile } from '../../core/uploads/batch-files.ts'
import type { UploadBatch } from '../../core/uploads/batches.ts'
import { placeChunk, requireFitting } from '../../core/uploads/place-chunk.ts'
import { placeFile, removeFile } from '../../core/uploads/place-file.ts'
import type { Uploads } from '../../core/uploads/uploads.ts'
import { findWholeBlob, finishFile } from '../../core/uploads/use-file.ts'
import { type Answer, noContent } from '../../rest/answer.ts'
import { bytesAnswer, eitherAnswer, jsonAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { exceptionSchema } from '../../rest/render/exception-entity.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { batchNotFound, forBatch, forIndex, noBatch, noBatchOrFile } from './addressed-batch.ts'
import { type FormRules, receiveUpload } from './receive-upload.ts'
import { completedSchema, fileInfo, fileInfoSchema, uploadAnswer, uploaded, uploadJson, uploadPage } from './upload-entities.ts'
import { readUploadHeaders, type UploadHeaders, uploadHeaders } from './upload-headers.ts'

const upload = (forms: FormRules): Route => ({
  method: 'POST',
  operationId: 'uploadFile',
  path: '/upload/{batchId}/{fileIdx}',
  under: 'api',
  summary: [
    'Send a file, or with X-Upload-Type: chunked one of its chunks, as the bytes of the body or as the first file of a form.',
    'X-File-Name (percent-encoded) and X-File-Type say what it is;',
    'chunks also need X-Upload-Chunk-Index, X-Upload-Chunk-Count and X-File-Size',
  ].join(' '),
  headers: uploadHeaders,
  streamsBody: true,
  answers: {
    201: uploadAnswer('The file is here'),
    202: uploadAnswer('The chunk is here, others are missing'),
    400: eitherAnswer('an index or header is not valid, or the form has no file', [
      exceptionSchema,
      bytesAnswer('why', 'text/plain'),
    ]),
    404: noBatch,
    409: 'the chunk already exists, or the index holds a file that was sent in one piece',
    413: 'more than may be sent in one request, or be held by one batch',
    507: 'there is no space left',
  },
  handle: (exchange, parameters) =>
    forIndex(exchange, parameters, async (batch, index, uploads) => {
      const headers = readUploadHeaders(exchange.request)
      await requireWelcome(uploads, batch, index, headers)
      const place = { index, text: parameters['fileIdx'] ?? '' }
      const store = () => storeUpload(exchange, batch, place, headers, forms)
      return uploads.inProgress.during(batch.id, store)
    }),
})

/** What would be refused in the end is refused before it is sent. */
async function requireWelcome(
  { store, rules, now }: Uploads,
  { id }: UploadBatch,
  index: number,
  headers: UploadHeaders,
): Promise<void> {
  if (headers.chunk === undefined) return
  requireFitting(await findFile(store.reader.transient, id, index, now()), index, headers.chunk, rules)
}

export const uploadedFileNotFound = defineProblem(
  'uploadedFileNotFound',
  'notFound',
  (of: { batchId: string; index: string }) => `The upload batch ${of.batchId} has no file ${of.index.slice(0, 100)}.`,
)

export const anotherFile = defineProblem(
  'anotherFile',
  'conflict',
  (of: { index: number }) =>
    `File ${of.index} is not all there, or its size, type or digest are not those that were sent. Upload it again.`,
)

async function storeUpload(
  { request, services: { uploads } }: Exchange,
  { id }: UploadBatch,
  { index, text }: { readonly index: number; readonly text: string },
  headers: UploadHeaders,
  forms: FormRules,
): Promise<Answer> {
  const { blob, facts, isForm } = await receiveUpload(uploads, id, request, headers, forms)
  const { chunk } = headers
  const placed = await (chunk === undefined
    ? placeFile(uploads, id, index, facts, blob)
    : placeChunk(uploads, { batchId: id, fileIndex: index, facts, chunk, blob }))
  if (placed === undefined) throw batchNotFound({ id })
  const chunks = typeof placed === 'object' ? placed : undefined
  const status = chunks?.isComplete === false ? 202 : 201
  const body = uploaded(id, text, blob.length, chunks)
  return isForm ? uploadPage(body, status) : uploadJson(body, status)
}

/** Answers about a file. @throws batchNotFound, uploadedFileNotFound */
function forFile(
  exchange: Exchange,
  parameters: { readonly [name: string]: string },
  answer: (file: UploadedFile, batch: UploadBatch, uploads: Uploads) => Promise<Answer>,
): Promise<Answer> {
  return forBatch(exchange, parameters, async (batch, uploads) => {
    const index = parseIndex(parameters['fileIdx'] ?? '')
    const { store, now } = uploads
    const file = index === undefined ? undefined : await findFile(store.reader.transient, batch.id, index, now())
    if (file === undefined) throw uploadedFileNotFound({ batchId: batch.id, index: parameters['fileIdx'] ?? '' })
    return answer(file, batch, uploads)
  })
}

const read: Route = {
  operationId: 'getUploadedFile',
  method: 'GET',
  path: '/upload/{batchId}/{fileIdx}',
  under: 'api',
  summary: 'How far the upload of a file has come',
  answers: { 200: fileInfoSchema, 202: jsonAnswer(fileInfoSchema, 'chunks are missing'), 404: noBatchOrFile },
  handle: (exchange, parameters) =>
    forFile(exchange, parameters, async (file, { id }, uploads) => {
      if (!isComplete(file)) return uploadJson(fileInfo(file), 202)
      await finishFile(uploads, id, file)
      return uploadJson(fileInfo(file))
    }),
}

const remove: Route = {
  operationId: 'deleteUploadedFile',
  method: 'DELETE',
  path: '/upload/{batchId}/{fileIdx}',
  under: 'api',
  summary: 'Remove a file from its upload batch',
  answers: { 204: 'removed', 404: noBatchOrFile },
  handle: (exchange, parameters) =>
    forFile(exchange, parameters, async ({ index }, { id }, uploads) => {
      if (!(await removeFile(uploads, id, index))) throw uploadedFileNotFound({ batchId: id, index: String(index) })
      return noContent()
    }),
}

/** Whatever is not as the server has it, of whichever type, is another file. */
const completion = Type.Forgiving(
  Type.Object(
    {
      fileSize: Type.Optional(Type.Leniently(Type.Integer())),
      mimeType: Type.Optional(Type.Leniently(Type.Nullable(Type.String()))),
      md5: Type.Optional(Type.Leniently(Type.String({ description: 'The digest that the server shows of the file' }))),
      key: Type.Optional(Type.Leniently(Type.String({ description: 'Not looked at' }))),
      name: Type.Optional(Type.Leniently(Type.String({ description: 'Not looked at' }))),
    },
    { $id: 'UploadCompletion' },
  ),
)

const complete = defineRoute({
  operationId: 'completeUploadedFile',
  method: 'POST',
  path: '/upload/{batchId}/{fileIdx}/complete',
  under: 'api',
  summary: 'Say that a file is all there, and be told whether the server has the same one',
  body: completion,
  answers: {
    200: completedSchema,
    404: noBatchOrFile,
    409: 'size, type or digest are not those of the file',
  },
  handle: (exchange, parameters, sent) =>
    forFile(exchange, parameters, async (file, { id }, uploads) => {
      if (!(await isAsTold(uploads, id, file, sent.body))) throw anotherFile({ index: file.index })
      const done: Static<typeof completedSchema> = { uploaded: 'true', batchId: id, fileIdx: parameters['fileIdx'] ?? '' }
      return uploadJson(done)
    }),
})

async function isAsTold(
  uploads: Uploads,
  batchId: string,
  file: UploadedFile,
  told: Static<typeof completion> | undefined,
): Promise<boolean> {
  const blob = isComplete(file) ? await findWholeBlob(uploads, batchId, file) : undefined
  if (blob === undefined || told === undefined) return false
  const { fileSize, mimeType = null, md5 } = told
  return fileSize === blob.length && mimeType === file.mark.mimeType && md5 === blob.digest
}

export const fileRoutes = (forms: FormRules): readonly Route[] => [upload(forms), read, remove, complete]
