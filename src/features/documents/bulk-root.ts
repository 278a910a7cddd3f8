import { defineProblem } from '../../base/problem.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import { removeDocument } from '../../core/documents/remove-document.ts'
import type { Document } from '../../model/document.ts'
import { noContent } from '../../rest/answer.ts'
import { type ResourceRoot, requireDocuments } from '../../rest/resource.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import { documentBody } from './document-body.ts'
import { prepareUpdate, saveUpdate } from './update-document.ts'

const bulkCommandNotFound = defineProblem(
  'bulkCommandNotFound',
  'notFound',
  (of: { id: string }) => `Bulk command with id=${of.id} doesn't exist`,
)

/** Several documents at once: `/bulk;id=a;id=b`. One that cannot be read fails the whole. */
export const bulkDocuments: ResourceRoot = {
  segment: 'bulk',
  template: '/bulk;id={docId}',
  summary: 'Documents by their ids, given as matrix parameters',
  yields: 'documents',
  async resolve(session, own, rest) {
    const ids = own.matrix.flatMap(([name, id]) => (name === 'id' && id !== '' ? [id] : []))
    if (ids.length === 0 || rest.length > 0) throw bulkCommandNotFound({ id: rest[0]?.text ?? '' })
    const documents: Document[] = []
    for (const id of ids) documents.push(await readDocument(session, id))
    return { kind: 'documents', documents }
  },
  methods: {
    GET: {
      summary: 'The documents in the order asked for',
      answers: { 200: 'documents' },
      handle: ({ exchange, resolve }) =>
        exchange.read(async (session) => writeResource(exchange, session, await resolve(session))),
    },
    PUT: {
      summary: 'Change the same properties of all',
      body: documentBody,
      checksBodyItself: true,
      answers: { 200: 'documents' },
      handle: async ({ exchange, resolve }) => {
        // `/bulk/{commandId}/abort` comes here too, without a body: that there is no such command counts first.
        await exchange.read(resolve)
        const update = await prepareUpdate(exchange)
        return exchange.write(async (session) => {
          const saved: Document[] = []
          for (const document of requireDocuments(await resolve(session)))
            saved.push(await saveUpdate(session, exchange, update, document))
          return writeResource(exchange, session, { kind: 'documents', documents: saved })
        })
      },
    },
    DELETE: {
      summary: 'Remove them for good',
      answers: { 200: 'removed' },
      handle: ({ exchange, resolve }) =>
        exchange.write(async (session) => {
          for (const { id } of requireDocuments(await resolve(session))) {
            // One may have been below another and is gone with it.
            if ((await session.tx.documents.find(id)) !== undefined) await removeDocument(session, id)
          }
          return noContent(200)
        }),
    },
  },
}
