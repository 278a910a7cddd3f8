import { defineProblem } from '../../base/problem.ts'
import { listFiles } from '../../core/uploads/batch-files.ts'
import { createBatch, dropBatch } from '../../core/uploads/batches.ts'
import { type Answer, noContent } from '../../rest/answer.ts'
import { Type } from '../../rest/openapi/schema.ts'
import type { Route } from '../../rest/route.ts'
import { forBatch, noBatch } from './addressed-batch.ts'
import { batchIdSchema, batchInfo, batchInfoSchema, fileInfo, fileInfoSchema, uploadJson } from './upload-entities.ts'

const unknownHandler = defineProblem(
  'unknownHandler',
  'invalid',
  (of: { name: string }) => `There is no upload handler ${of.name}. GET /upload/handlers lists those that there are.`,
)

/** The Python client only looks at the first one. */
const handlers: readonly string[] = ['default']

const handlerSchema = Type.Object({ name: Type.String() }, { $id: 'UploadHandler' })

const create: Route = {
  method: 'POST',
  path: '/upload',
  operationId: 'createUploadBatch',
  under: 'api',
  summary: 'Begin an upload batch, to which files are then sent',
  ignoresBody: true,
  answers: { 201: batchIdSchema },
  handle: async ({ services }) => uploadJson({ batchId: (await createBatch(services.uploads, 'default')).id }, 201),
}

const createWith: Route = {
  operationId: 'createUploadBatchWithHandler',
  method: 'POST',
  path: '/upload/new/{handler}',
  under: 'api',
  summary: 'Begin an upload batch of a handler',
  ignoresBody: true,
  answers: { 200: batchInfoSchema, 400: 'there is no such handler' },
  async handle({ services }, { handler = '' }) {
    if (!handlers.includes(handler)) throw unknownHandler({ name: handler })
    return uploadJson(batchInfo(await createBatch(services.uploads, handler), []))
  },
}

const listHandlers: Route = {
  operationId: 'listUploadHandlers',
  method: 'GET',
  path: '/upload/handlers',
  under: 'api',
  summary: 'The ways in which files can be uploaded',
  answers: { 200: Type.Object({ handlers: Type.Array(handlerSchema) }) },
  handle: async () => uploadJson({ handlers: handlers.map((name) => ({ name })) }),
}

export const handlerNotFound = defineProblem(
  'handlerNotFound',
  'notFound',
  (of: { name: string }) => `There is no upload handler ${of.name.slice(0, 100)}, only ${handlers.join(', ')}.`,
)

export const noCredentials = defineProblem(
  'noCredentials',
  'notImplemented',
  (_: object) => 'Files of this batch are uploaded to this server alone, with the credentials of any other request.',
)

const readHandler: Route = {
  operationId: 'getUploadHandler',
  method: 'GET',
  path: '/upload/handlers/{name}',
  under: 'api',
  summary: 'One way in which files can be uploaded',
  answers: { 200: handlerSchema, 404: 'there is no such handler' },
  async handle(_exchange, { name = '' }) {
    if (!handlers.includes(name)) throw handlerNotFound({ name })
    return uploadJson({ name })
  },
}

const list: Route = {
  operationId: 'listUploadedFiles',
  method: 'GET',
  path: '/upload/{batchId}',
  under: 'api',
  summary: 'The files of an upload batch, by their indexes',
  answers: { 200: Type.Array(fileInfoSchema), 204: 'the batch has no file', 404: noBatch },
  handle: (exchange, parameters) =>
    forBatch(exchange, parameters, async ({ id }, { store, now }) => {
      const files = await listFiles(store.reader.transient, id, now())
      return files.length === 0 ? noContent() : uploadJson(files.map(fileInfo))
    }),
}

const info: Route = {
  operationId: 'getUploadBatch',
  method: 'GET',
  path: '/upload/{batchId}/info',
  under: 'api',
  summary: 'An upload batch with its handler and its files',
  answers: { 200: batchInfoSchema, 404: noBatch },
  handle: (exchange, parameters) =>
    forBatch(exchange, parameters, async (batch, { store, now }) =>
      uploadJson(batchInfo(batch, await listFiles(store.reader.transient, batch.id, now()))),
    ),
}

const drop: Route = {
  operationId: 'deleteUploadBatch',
  method: 'DELETE',
  path: '/upload/{batchId}',
  under: 'api',
  summary: 'Drop an upload batch with all its files',
  answers: { 204: 'dropped', 404: noBatch },
  handle: (exchange, parameters) =>
    forBatch(exchange, parameters, async ({ id }, uploads): Promise<Answer> => {
      await dropBatch(uploads, id)
      return noContent()
    }),
}

const refreshToken: Route = {
  operationId: 'refreshUploadToken',
  method: 'POST',
  path: '/upload/{batchId}/refreshToken',
  under: 'api',
  summary: 'Renew the credentials with which a client uploads elsewhere; the default handler gives none',
  ignoresBody: true,
  answers: { 404: noBatch, 501: 'the handler of the batch has no credentials' },
  handle: (exchange, parameters) =>
    forBatch(exchange, parameters, async () => {
      throw noCredentials({})
    }),
}

export const batchRoutes: readonly Route[] = [create, createWith, listHandlers, readHandler, list, info, drop, refreshToken]
