import type { Callable } from '../../automation/registry.ts'
import type { Value } from '../../automation/values/value.ts'
import { defineProblem } from '../../base/problem.ts'
import { findUploadedBlob, listUploadedBlobs } from '../../core/uploads/use-file.ts'
import type { Answer } from '../../rest/answer.ts'
import type { Static } from '../../rest/openapi/schema.ts'
import { dropAtEnd } from '../../rest/payload/uploaded-files.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { forBatch, noBatch } from '../uploads/index.ts'
import { answersOfCalls, type callSchema, optionalCallDescription } from './call-description.ts'
import { execute, readCallableOrRefuse } from './execute.ts'
import { parseCall } from './sent-call.ts'

export const fileNotUploaded = defineProblem(
  'fileNotUploaded',
  'notFound',
  (of: { batchId: string; fileIdx: string }) => `Batch ${of.batchId} has no complete file ${of.fileIdx}.`,
)

const executeOnBatch = defineRoute({
  operationId: 'runOperationOnBatch',
  method: 'POST',
  path: '/upload/{batchId}/execute/{operationId}',
  under: 'api',
  summary:
    'Run an operation on all complete files of an upload batch, which is dropped afterwards unless X-Batch-No-Drop is true',
  ...optionalCallDescription,
  answers: { ...answersOfCalls, 404: `${noBatch}; or there is no such operation` },
  handle: (exchange, parameters, sent) =>
    executeOn(exchange, parameters, sent, async (batchId) => {
      const blobs = await listUploadedBlobs(exchange.services.uploads, batchId)
      return { kind: 'blobs', blobs: blobs.map((blob) => ({ blob })) }
    }),
})

const executeOnFile = defineRoute({
  operationId: 'runOperationOnUploadedFile',
  method: 'POST',
  path: '/upload/{batchId}/{fileIdx}/execute/{operationId}',
  under: 'api',
  summary: 'Run an operation on a file of an upload batch, which is dropped afterwards unless X-Batch-No-Drop is true',
  ...optionalCallDescription,
  answers: { ...answersOfCalls, 404: `${noBatch}; or there is no such file or operation` },
  handle: (exchange, parameters, sent) =>
    executeOn(exchange, parameters, sent, async (batchId) => {
      const { fileIdx = '' } = parameters
      const blob = await findUploadedBlob(exchange.services.uploads, batchId, fileIdx)
      if (blob === undefined) throw fileNotUploaded({ batchId, fileIdx })
      return { kind: 'blob', blob: { blob } }
    }),
})

/** Whatever becomes of the operation, the batch was there for it alone. */
function executeOn(
  exchange: Exchange,
  parameters: { readonly [name: string]: string },
  sent: { readonly body: Static<typeof callSchema> | null | undefined },
  findInput: (batchId: string) => Promise<Value>,
): Promise<Answer> {
  const { operationId: id = '' } = parameters
  return forBatch(exchange, parameters, async (batch) => {
    dropAtEnd(exchange, batch.id)
    const input = await findInput(batch.id)
    const callable: Callable = readCallableOrRefuse(exchange, id)
    const call = parseCall(sent.body ?? {})
    return execute(exchange, { id, callable, call: { ...call, input }, ignoresStatus: true })
  })
}

export const batchRoutes: readonly Route[] = [executeOnBatch, executeOnFile]
