import { defineProblem } from '../../base/problem.ts'
import { parseIndex } from '../../core/uploads/batch-files.ts'
import { findBatch, type UploadBatch } from '../../core/uploads/batches.ts'
import type { Uploads } from '../../core/uploads/uploads.ts'
import type { Answer } from '../../rest/answer.ts'
import type { Exchange } from '../../rest/request/exchange.ts'

export const noBatch = 'there is no such batch, or it has expired'
export const noBatchOrFile = 'there is no such batch or file'

export const batchNotFound = defineProblem(
  'batchNotFound',
  'notFound',
  (of: { id: string }) => `There is no upload batch ${of.id.slice(0, 100)}, or it has expired. Begin another one.`,
)

type Parameters = { readonly [name: string]: string }

/** Answers about the batch of the path. @throws batchNotFound */
export async function forBatch(
  { services: { uploads } }: Exchange,
  { batchId = '' }: Parameters,
  answer: (batch: UploadBatch, uploads: Uploads) => Promise<Answer>,
): Promise<Answer> {
  const batch = await findBatch(uploads, batchId)
  if (batch === undefined) throw batchNotFound({ id: batchId })
  return answer(batch, uploads)
}

/** The same for an index of a file, which is told apart from a text that is none. */
export function forIndex(
  exchange: Exchange,
  parameters: Parameters,
  answer: (batch: UploadBatch, index: number, uploads: Uploads) => Promise<Answer>,
): Promise<Answer> {
  return forBatch(exchange, parameters, async (batch, uploads) => {
    const index = parseIndex(parameters['fileIdx'] ?? '')
    return index === undefined ? notAnIndex : answer(batch, index, uploads)
  })
}

const notAnIndex: Answer = {
  kind: 'text',
  status: 400,
  contentType: 'text/plain; charset=UTF-8',
  text: 'The index of a file must be a number of at most 15 digits.',
}
