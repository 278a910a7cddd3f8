import { asynchronousKind } from '../../../automation/asynchronous-kind.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted } from '../../../automation/parameter.ts'
import { jsonBlob } from '../../../automation/values/flowing-blob.ts'
import type { BulkStatus } from '../../../core/bulk/bulk-commands.ts'
import { allDocuments, documentsWhere } from '../../../core/search/providers/conditions.ts'
import type { Repository, WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { nxqlProvider } from '../../search/index.ts'
import { indexDocuments } from '../bulk-actions.ts'
import { startBulk } from '../start-bulk.ts'
import { waitUntil } from './wait-until.ts'

/** Documents are found by what they say as soon as they are stored: this is for what should not be needed. */
export const reindex = defineOperation({
  id: 'Elasticsearch.Index',
  category: 'Services',
  description: 'Indexes documents again in the background: all, those of a query, or one with all below it.',
  effect: 'writes',
  access: { administrators: true },
  params: {},
  run: ({ on }) => [
    on('void', 'void', async (_, { session }) => void (await indexFound(session, allDocuments))),
    on('string', 'void', async (query, { session }) => void (await indexFound(session, query))),
    on('document', 'void', async (document, { session }) => void (await indexFound(session, withAllBelow(document)))),
  ],
})

export const bulkReindex = defineOperation({
  id: 'Elasticsearch.BulkIndex',
  category: 'Services',
  description: 'Indexes all documents, or those of a query, again in the background, and gives the id of the bulk command.',
  effect: 'writes',
  access: { administrators: true },
  params: {},
  run: ({ on }) => [
    on('void', 'blob', async (_, { session }) => aboutCommand(await indexFound(session, allDocuments))),
    on('string', 'blob', async (query, { session }) => aboutCommand(await indexFound(session, query))),
  ],
})

export const waitForIndexing = defineOperation({
  id: 'Elasticsearch.WaitForIndexing',
  category: 'Services',
  description:
    'Waits until all background work is done, such as reading files for full text. Gives false when it is not in time.',
  effect: 'waits',
  access: { administrators: true },
  params: {
    timeoutSecond: defaulted('integer', 60),
    refresh: defaulted('boolean', false, { description: 'Has no meaning here: what is indexed is found at once' }),
    waitForAudit: defaulted('boolean', false, { description: 'Has no meaning here: the log is written with what it tells of' }),
  },
  run: ({ on }) => [
    on('void', 'boolean', (_, { session, params, context: { services, host } }) =>
      waitUntil(session, { seconds: params.timeoutSecond, signal: host.signal }, () =>
        isIdle([...services.repositories.values()]),
      ),
    ),
  ],
})

function indexFound(session: WriteSession, query: string): Promise<BulkStatus> {
  return startBulk(session, indexDocuments, { provider: nxqlProvider(session, query), request: {} }, { parameters: {} })
}

function withAllBelow({ id }: Document): string {
  return documentsWhere(`ecm:uuid = '${id}' OR ecm:ancestorId = '${id}'`)
}

function aboutCommand({ command }: BulkStatus) {
  return jsonBlob({ commandId: command.id })
}

/** Asynchronous operations do not count: the caller may be one of them. */
async function isIdle(repositories: readonly Repository[]): Promise<boolean> {
  const counts = repositories.map(async ({ store: { reader }, now }) => {
    const [all, calls] = await Promise.all([reader.jobs.countPending(now()), reader.jobs.countPending(now(), [asynchronousKind])])
    return all - calls
  })
  return (await Promise.all(counts)).every((count) => count <= 0)
}
