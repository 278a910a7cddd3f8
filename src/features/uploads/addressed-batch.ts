import { parseIndex } from '../../core/uploads/batch-files.ts'
import { type Batch, findBatch } from '../../core/uploads/batches.ts'
import type { Uploads } from '../../core/uploads/uploads.ts'
import { type Answer, noContent } from '../../rest/answer.ts'
import type { Exchange } from '../../rest/exchange.ts'

export const noBatch = 'there is no such batch, or it has expired; the answer is empty'
export const noBatchOrFile = 'there is no such batch or file; the answer is empty'

type Parameters = { readonly [name: string]: string }

/** Answers about the batch of the path; 404 and nothing more when there is none. */
export async function forBatch(
  { services: { uploads } }: Exchange,
  { batchId = '' }: Parameters,
  answer: (batch: Batch, uploads: Uploads) => Promise<Answer>,
): Promise<Answer> {
  const batch = await findBatch(uploads, batchId)
  return batch === undefined ? noContent(404) : answer(batch, uploads)
}

/** The same for an index of a file, which is told apart from a text that is none. */
export function forIndex(
  exchange: Exchange,
  parameters: Parameters,
  answer: (batch: Batch, index: number, uploads: Uploads) => Promise<Answer>,
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
