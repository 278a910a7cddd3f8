import type { Session } from '../core/session.ts'
import { type Answer, entity } from './answer.ts'
import { writeDocument } from './document-entity.ts'
import { writeDocuments } from './documents-entity.ts'
import type { Exchange } from './exchange.ts'
import { createRenderContext } from './render-context.ts'
import type { Resource } from './resource.ts'
import { typeNotFound } from './type-not-found.ts'

/** A resource as the answer to a request. */
export async function writeResource(exchange: Exchange, session: Session, resource: Resource, status = 200): Promise<Answer> {
  const context = createRenderContext(session, exchange)
  switch (resource.kind) {
    case 'document':
      return entity('document', await writeDocument(context, resource.document), status)
    case 'documents':
      return entity('documents', await writeDocuments(context, resource.documents, resource.page), status)
    case 'root':
      throw typeNotFound({ segment: '' })
  }
}
