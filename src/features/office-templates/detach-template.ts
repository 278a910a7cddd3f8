import { saveContent } from '../../core/documents/save-document.ts'
import { hasPermission } from '../../core/permissions.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { documentsWhere, notProxy, notVersion } from '../../core/search/providers/conditions.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { InlineListener, Session, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import { withoutFacet } from '../../model/own-facets.ts'
import { bindingsOf, storedBindings, type TemplateBinding, withoutTemplate } from './bindings.ts'
import type { BoundContent } from './bound-template.ts'
import { bindingsProperty, boundFacet, templateFacet } from './template-model.ts'
import { templateInUse } from './template-problems.ts'

/** Takes all templates from the document. Its own facet goes with the last one. @throws privilegeMissing */
export async function detachAll(session: WriteSession, { id }: Document): Promise<void> {
  await saveContent(session, id, (current) => contentWith(session.model, current, []))
}

// What has an id in its own type cannot lose the facet.
function contentWith(model: Model, document: Document, bindings: readonly TemplateBinding[]): BoundContent {
  const facets = bindings.length === 0 ? withoutFacet(model, document, boundFacet) : document.facets
  const keeps = bindings.length > 0 || model.shapeOf({ ...document, facets }).hasFacet(boundFacet)
  return { facets, properties: keeps ? { [bindingsProperty]: storedBindings(bindings) } : {} }
}

/** As many as one transaction takes; who has more calls again. */
export const detachedAtOnce = 1_000

const notTold = { audit: false, dublincore: false, automaticVersioning: false, checkout: false } as const

/**
 * Takes the template from the documents that are bound to it. Who may remove it takes it from all of them: a binding to what is gone is of no
 * use to anybody. Others take it from those that they may write. Nothing else of these documents changes.
 */
export async function detachFromAll(session: WriteSession, template: Document): Promise<void> {
  const mayRemove = await hasPermission(session, template, 'Remove')
  const acting = mayRemove ? session.asSystem() : session
  for (const { id } of await listBoundTo(acting, template.id, detachedAtOnce)) {
    if (!mayRemove && !(await mayWrite(session, id))) continue
    const contentFor = (current: Document) =>
      contentWith(session.model, current, withoutTemplate(bindingsOf(current), template.id))
    await saveContent(acting, id, contentFor, notTold)
  }
}

async function mayWrite(session: WriteSession, id: DocumentId): Promise<boolean> {
  const document = await session.tx.documents.find(id)
  return document !== undefined && hasPermission(session, document, 'WriteProperties')
}

async function listBoundTo(session: Session, templateId: DocumentId, limit: number): Promise<readonly Document[]> {
  const query = documentsWhere(`${bindingsProperty}/*/templateId = ${quoted(templateId)}`, notVersion, notProxy)
  const { documents } = await searchDocuments(session, compile(session, query), { offset: 0, limit, countLimit: 1 })
  return documents
}

/** Its documents could be rendered no more: they are detached first, by whoever decides so. What is below a removed folder goes with it. */
export const guardBoundTemplates: InlineListener = {
  name: 'guardBoundTemplates',
  when: 'inline',
  facet: templateFacet,
  events: ['aboutToRemove'],
  async handle({ document }, session) {
    if (document.isVersion || document.isProxy) return
    const [bound] = await listBoundTo(session.asSystem(), document.id, 1)
    if (bound !== undefined) throw templateInUse({ id: document.id })
  },
}
