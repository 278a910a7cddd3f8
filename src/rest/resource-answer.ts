import type { Session } from '../core/session.ts'
import type { Document } from '../model/document.ts'
import { type Answer, entity } from './answer.ts'
import { writeDocument } from './document-entity.ts'
import { writeDocuments } from './documents-entity.ts'
import type { Exchange } from './exchange.ts'
import { keptEntityText } from './kept-entity.ts'
import { createRenderContext } from './render-context.ts'
import type { RenderContext } from './rendering.ts'
import type { Resource } from './resource.ts'
import { typeNotFound } from './type-not-found.ts'

/** A resource as the answer to a request. */
export async function writeResource(exchange: Exchange, session: Session, resource: Resource, status = 200): Promise<Answer> {
  switch (resource.kind) {
    case 'document':
      return writeDocumentAnswer(createRenderContext(session, exchange), resource.document, status)
    case 'documents': {
      const context = createRenderContext(session, exchange, resource.highlighting)
      return entity('documents', await writeDocuments(context, resource.documents, resource.page, resource), status)
    }
    case 'root':
      throw typeNotFound({ segment: '' })
  }
}

async function writeDocumentAnswer(context: RenderContext, document: Document, status: number): Promise<Answer> {
  const text = keptEntityText(context, document)
  if (text !== undefined) return { kind: 'entityText', status, entityType: 'document', text }
  return entity('document', await writeDocument(context, document), status)
}
