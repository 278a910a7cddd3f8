import { createDocument } from '../../core/documents/create-document.ts'
import { documentNotFound, findStored, readDocument, readDocumentByPath } from '../../core/documents/read-document.ts'
import { hasPermission, requirePermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { noContent } from '../../rest/answer.ts'
import { jsonAnswer } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { documentBody, documentChangeBody } from '../../rest/payload/document-payload.ts'
import { documentSchema } from '../../rest/render/document-entity.ts'
import { invalidAnswer } from '../../rest/render/exception-entity.ts'
import { renderHeaders, saveHeaders } from '../../rest/request/declared-headers.ts'
import type { Segment } from '../../rest/request/url-path.ts'
import { type MethodTable, type ResourceCall, type ResourceRoot, requireDocument, resourceMethod } from '../../rest/resource.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import { prepareCreation, readCreation } from './create-document.ts'
import { removeAddressed } from './remove-addressed.ts'
import { prepareUpdate, saveUpdate } from './update-document.ts'

/** What can be done to a document, however it is addressed. */
const documentMethods: MethodTable<ResourceCall> = {
  GET: {
    summary: 'Read the document',
    headers: Type.Object(renderHeaders),
    answers: { 200: documentSchema, 403: 'may not be read', 404: 'does not exist' },
    handle: ({ exchange, resolve }) =>
      exchange.read(async (session) => await writeResource(exchange, session, await resolve(session))),
  },
  POST: resourceMethod({
    summary: 'Create a document below this one',
    body: documentBody,
    headers: Type.Object({ ...renderHeaders, ...saveHeaders }),
    answers: { 201: documentSchema, 400: invalidAnswer('not valid'), 403: 'may not be created here' },
    handle: async ({ exchange, resolve, sent }) => {
      const prepared = await prepareCreation(exchange, sent.body)
      return await exchange.write(async (session) => {
        const parent = requireDocument(await resolve(session))
        const document = await createDocument(session, await readCreation(session, exchange, prepared, parent))
        return await writeResource(exchange, session, { kind: 'document', document }, 201)
      })
    },
  }),
  PUT: resourceMethod({
    summary: 'Change properties of the document; those not sent stay',
    body: documentChangeBody,
    headers: Type.Object({ ...renderHeaders, ...saveHeaders }),
    answers: {
      200: jsonAnswer(documentSchema, 'The document, or its newest version when one was asked for'),
      400: invalidAnswer('not valid'),
      409: 'changed by someone else',
    },
    handle: async ({ exchange, resolve, sent }) => {
      const update = await prepareUpdate(exchange, sent.body)
      return await exchange.write(async (session) => {
        const document = await saveUpdate(session, exchange, update, requireDocument(await resolve(session)))
        return await writeResource(exchange, session, { kind: 'document', document })
      })
    },
  }),
  DELETE: {
    summary: 'Remove the document for good, with everything below it',
    answers: { 204: 'removed', 403: 'may not be removed', 409: 'kept by retention, or shown by a proxy' },
    handle: ({ exchange, resolve }) =>
      exchange.write(async (session) => {
        await removeAddressed(session, requireDocument(await resolve(session)))
        return noContent()
      }),
  },
}

/** `/id/{docId}`, and below it `/id/{docId}/child/grandchild`. */
export const documentById: ResourceRoot = {
  segment: 'id',
  template: '/id/{docId}',
  summary: 'A document by its id; names of children may follow',
  yields: 'document',
  resolve: async (session, own, [id, ...names]) => {
    if (id === undefined) throw documentNotFound({ reference: `/${own.text}` })
    return {
      kind: 'document',
      document: await (names.length === 0 ? readDocument(session, id.text) : readBelow(session, id.text, names)),
    }
  },
  expect: (documents, [id]) => id && documents.expect?.({ id: id.text }),
  methods: documentMethods,
}

/** `/path/default-domain/workspaces`; `/path/` is the root of the repository. */
export const documentByPath: ResourceRoot = {
  segment: 'path',
  template: '/path/{docPath}',
  summary: 'A document by its path',
  yields: 'document',
  resolve: async (session, _own, names) => ({ kind: 'document', document: await readDocumentByPath(session, pathOf(names)) }),
  expect: (documents, names) => documents.expect?.({ path: pathOf(names) }),
  methods: documentMethods,
}

const isPlain = /^(?:\/[\x20-\x2e\x30-\x7e]+)*$/

/** No name holds a slash, so an encoded one separates names like any other. */
function pathOf(names: readonly Segment[]): string {
  const path = `/${names.map((name) => name.text).join('/')}`
  // As good as all paths are in order already; taking each apart and normalising it cost 10 µs.
  return isPlain.test(path)
    ? path
    : `/${path
        .normalize('NFC')
        .split('/')
        .filter((step) => step !== '')
        .join('/')}`
}

/** By the rights on what is addressed, as its path would be: of where it is below only the id is told. */
async function readBelow(session: Session, id: DocumentId, names: readonly Segment[]): Promise<Document> {
  const above = await findStored(session, id)
  const below = pathOf(names)
  if (above === undefined) throw documentNotFound({ reference: id })
  // Versions and placeless documents are nowhere in the tree, so nothing is below them.
  const path = above.path === '/' ? below : `${above.path}${below}`
  const found = above.path === null ? undefined : await session.reader.documents.findByPath(path)
  if (found !== undefined && (await hasPermission(session, found, 'Read'))) return readDocument(session, found.id)
  // Whoever may not read the document is not told where it is, nor what is below it.
  await requirePermission(session, above, 'Read')
  if (above.path === null) throw documentNotFound({ reference: below })
  return readDocumentByPath(session, path)
}
