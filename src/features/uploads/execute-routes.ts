import { Type } from 'typebox'
import { defineProblem } from '../../base/problem.ts'
import { findUploadedBlob, listUploadedBlobs } from '../../core/uploads/use-file.ts'
import type { BlobValue } from '../../model/property.ts'
import type { Answer } from '../../rest/answer.ts'
import type { Exchange } from '../../rest/exchange.ts'
import type { Route } from '../../rest/route.ts'
import { dropAtEnd } from '../../rest/uploaded-files.ts'
import { forBatch, noBatch } from './addressed-batch.ts'

export const fileNotUploaded = defineProblem(
  'fileNotUploaded',
  'notFound',
  (of: { batchId: string; fileIdx: string }) => `Batch ${of.batchId} has no complete file ${of.fileIdx}.`,
)

export const operationNotFound = defineProblem(
  'operationNotFound',
  'notFound',
  (of: { id: string }) => `There is no operation ${of.id}.`,
)

const request = Type.Optional(
  Type.Object({
    params: Type.Optional(Type.Object({}, { additionalProperties: true })),
    context: Type.Optional(Type.Object({}, { additionalProperties: true })),
  }),
)

const executeOnBatch: Route = {
  method: 'POST',
  path: '/upload/{batchId}/execute/{operationId}',
  under: 'api',
  summary:
    'Run an operation on all complete files of an upload batch, which is dropped afterwards unless X-Batch-No-Drop is true',
  body: request,
  ignoresBody: true,
  answers: { 200: 'what the operation gives', 404: `${noBatch}; or there is no such operation` },
  handle: (exchange, parameters) =>
    usingBatch(exchange, parameters, async (batchId) =>
      execute(parameters['operationId'] ?? '', await listUploadedBlobs(exchange.services.uploads, batchId)),
    ),
}

const executeOnFile: Route = {
  method: 'POST',
  path: '/upload/{batchId}/{fileIdx}/execute/{operationId}',
  under: 'api',
  summary: 'Run an operation on a file of an upload batch, which is dropped afterwards unless X-Batch-No-Drop is true',
  body: request,
  ignoresBody: true,
  answers: { 200: 'what the operation gives', 404: `${noBatch}; or there is no such file or operation` },
  handle: (exchange, parameters) =>
    usingBatch(exchange, parameters, async (batchId) => {
      const { fileIdx = '', operationId = '' } = parameters
      const blob = await findUploadedBlob(exchange.services.uploads, batchId, fileIdx)
      if (blob === undefined) throw fileNotUploaded({ batchId, fileIdx })
      return execute(operationId, blob)
    }),
}

/** Whatever becomes of the operation, the batch was there for it alone. */
function usingBatch(
  exchange: Exchange,
  parameters: { readonly [name: string]: string },
  answer: (batchId: string) => Promise<Answer>,
): Promise<Answer> {
  return forBatch(exchange, parameters, async ({ id }) => {
    dropAtEnd(exchange, id)
    return answer(id)
  })
}

function execute(operationId: string, _input: BlobValue | readonly BlobValue[]): Promise<Answer> {
  throw operationNotFound({ id: operationId })
}

export const executeRoutes: readonly Route[] = [executeOnBatch, executeOnFile]
