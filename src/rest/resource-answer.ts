import { roughSize } from '../base/json.ts'
import { mapInTurns } from '../base/map-in-turns.ts'
import type { Session } from '../core/session.ts'
import type { Document } from '../model/document.ts'
import { type Answer, entity } from './answer.ts'
import { answerDownload } from './download/download.ts'
import { findWritten, writeDocument } from './render/document-entity.ts'
import { writeDocumentsText } from './render/documents-entity.ts'
import { writeOlderPlace, writePlace } from './render/page-fields.ts'
import { createRenderContext, type RenderContext } from './render/rendering.ts'
import type { Answering } from './request/exchange.ts'
import type { EntityList, Resource } from './resource.ts'
import { typeNotFound } from './type-not-found.ts'

/** A resource as the answer to a request. */
export async function writeResource(exchange: Answering, session: Session, resource: Resource, status = 200): Promise<Answer> {
  switch (resource.kind) {
    case 'document':
      return await writeDocumentAnswer(createRenderContext(session, exchange), resource.document, status)
    case 'documents': {
      const context = createRenderContext(session, exchange, resource.highlighting)
      const written = await writeDocumentsText(context, resource.documents, resource.page, resource)
      return { kind: 'entityText', status, entityType: 'documents', ...written }
    }
    case 'blob':
      return answerDownload(exchange, session, resource)
    case 'user':
    case 'group':
      return writeEntity(createRenderContext(session, exchange), resource.kind, resource.name, status)
    case 'entities':
      return entity(resource.listType, await writeEntities(createRenderContext(session, exchange), resource), status)
    case 'root':
      throw typeNotFound({ segment: '' })
  }
}

async function writeDocumentAnswer(context: RenderContext, document: Document, status: number): Promise<Answer> {
  const written = findWritten(context, document)
  if (written !== undefined) return { kind: 'entityText', status, entityType: 'document', text: written.text }
  return entity('document', await writeDocument(context, document), status)
}

/** What a writer shows; it was found when the path was resolved. */
async function writeEntity(context: RenderContext, entityType: string, value: unknown, status: number): Promise<Answer> {
  const shown = await context.rendering.entityWriters.get(entityType)?.write(context, value)
  if (shown === undefined) throw typeNotFound({ segment: entityType })
  return entity(entityType, shown, status)
}

/** Values that are gone are left out; they count only among all results. @throws answerTooLarge */
async function writeEntities(context: RenderContext, { listType, entityType, values, page }: EntityList): Promise<object> {
  const writer = context.rendering.entityWriters.get(entityType)
  const written = await mapInTurns(values, async (value) => {
    const shown = await writer?.write(context, value)
    context.budget.spend(roughSize(shown))
    return shown
  })
  const entries = written.filter((shown) => shown !== undefined)
  const shownPage = { ...page, currentPageSize: entries.length }
  // Whoever reads a list of documents looks for it, whatever is shown as one.
  const totalSize = listType === 'documents' && { totalSize: page.resultsCount }
  return { 'entity-type': listType, ...writePlace(shownPage), ...totalSize, ...writeOlderPlace(shownPage), entries }
}
