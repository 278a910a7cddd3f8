import { defineProblem } from '../../base/problem.ts'
import { findPlaced } from '../../core/documents/ancestors.ts'
import { emptyDocument } from '../../core/documents/empty-document.ts'
import { offer } from '../../core/event.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type Adapter, adapterMethod } from '../../rest/adapter.ts'
import { entity } from '../../rest/answer.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { emptyDocumentSchema, writeEmptyDocument } from '../../rest/render/document-entity.ts'
import { createRenderContext } from '../../rest/render/rendering.ts'
import { renderHeaders } from '../../rest/request/declared-headers.ts'
import type { Resource } from '../../rest/resource.ts'

export const missingType = defineProblem('missingType', 'invalid', (_: object) => 'Missing type parameter')

export const unregisteredType = defineProblem(
  'unregisteredType',
  'invalid',
  (of: { type: string }) => `${of.type} is not a registered core type`,
)

/** An empty document with its defaults, for a form to fill in and post back. Nothing is stored. */
export const emptyWithDefaultAdapter: Adapter = {
  name: 'emptyWithDefault',
  summary: 'An empty document of a type, with default values; the target is its parent to be',
  accepts: ['document', 'root'],
  methods: {
    GET: adapterMethod({
      operationId: 'getEmptyDocument',
      summary: 'The empty document',
      query: Type.Object({
        type: Type.Optional(Type.String({ description: 'Document type', examples: ['File'] })),
        name: Type.Optional(Type.String({ description: 'Path segment to be' })),
      }),
      headers: Type.Object(renderHeaders),
      answers: { 200: emptyDocumentSchema, 400: 'type missing or unknown' },
      handle: ({ exchange, resolve, sent }) => {
        const { name = '' } = sent.query
        const type = sent.query.type?.trim() ?? ''
        if (type === '') throw missingType({})
        // In a transaction because listeners are handed one; the document itself is not stored.
        return exchange.write(async (session) => {
          if (!session.model.types.has(type)) throw unregisteredType({ type })
          const parent = await findParentToBe(session, await resolve(session))
          const document = await offerEmpty(session, type, name, parent)
          const context = createRenderContext(session, exchange)
          return entity('document', await writeEmptyDocument(context, { document, parentPath: parent?.path ?? null }))
        })
      },
    }),
  },
}

async function findParentToBe(session: Session, resource: Resource): Promise<Document | undefined> {
  return resource.kind === 'document' ? findPlaced(session, resource.document) : undefined
}

async function offerEmpty(session: WriteSession, type: string, name: string, parent: Document | undefined): Promise<Document> {
  const { name: repository } = session.repository
  const empty = emptyDocument(session.model, { repository, id: '', type, name, parent })
  const properties = { parentPath: parent?.path ?? null, documentModelId: null, destinationName: name === '' ? null : name }
  return offer(session, 'emptyDocumentModelCreated', empty, { properties })
}
