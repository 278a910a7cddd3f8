import { bulkCommandNotFound } from '../../core/bulk/bulk-commands.ts'
import { lockRowsInOrder } from '../../core/documents/lock-rows-in-order.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import { removeEach } from '../../core/documents/remove-documents.ts'
import type { Document } from '../../model/document.ts'
import { noContent } from '../../rest/answer.ts'
import { emptyAnswer } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { documentChangeBody } from '../../rest/payload/document-payload.ts'
import { documentListSchema } from '../../rest/render/documents-entity.ts'
import { invalidAnswer } from '../../rest/render/exception-entity.ts'
import { renderHeaders, saveHeaders } from '../../rest/request/declared-headers.ts'
import { type ResourceRoot, requireDocuments, resourceMethod } from '../../rest/resource.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import { removeAddressed } from './remove-addressed.ts'
import { prepareUpdate, saveUpdate } from './update-document.ts'

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
      headers: Type.Object(renderHeaders),
      answers: { 200: documentListSchema, 403: 'one may not be read', 404: 'one does not exist' },
      handle: ({ exchange, resolve }) =>
        exchange.read(async (session) => writeResource(exchange, session, await resolve(session))),
    },
    PUT: resourceMethod({
      summary: 'Change the same properties of all',
      body: documentChangeBody,
      headers: Type.Object({ ...renderHeaders, ...saveHeaders }),
      answers: { 200: documentListSchema, 400: invalidAnswer('not valid') },
      handle: async ({ exchange, resolve, sent }) => {
        // Where there are no ids, that counts before anything in the body does.
        await exchange.read(resolve)
        const update = await prepareUpdate(exchange, sent.body)
        return exchange.write(async (session) => {
          const documents = requireDocuments(await resolve(session))
          await lockRowsInOrder(session, documents)
          const saved = await forEach(documents, (document) => saveUpdate(session, exchange, update, document))
          return writeResource(exchange, session, { kind: 'documents', documents: saved })
        })
      },
    }),
    DELETE: {
      summary: 'Remove them for good',
      answers: { 200: emptyAnswer('removed') },
      handle: ({ exchange, resolve }) =>
        exchange.write(async (session) => {
          const documents = eachOnce(requireDocuments(await resolve(session)))
          await removeEach(session, documents, (document) => removeAddressed(session, document))
          return noContent(200)
        }),
    },
  },
}

/** What becomes of each document, in the order asked for; one that is there twice is changed once. */
async function forEach(
  documents: readonly Document[],
  change: (document: Document) => Promise<Document>,
): Promise<readonly Document[]> {
  const changed = new Map<string, Document>()
  for (const document of eachOnce(documents)) changed.set(document.id, await change(document))
  return documents.flatMap(({ id }) => changed.get(id) ?? [])
}

function eachOnce(documents: readonly Document[]): readonly Document[] {
  return [...new Map(documents.map((document) => [document.id, document])).values()]
}
