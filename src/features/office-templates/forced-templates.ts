import { createActiveList } from '../../core/active-list.ts'
import { findReadable } from '../../core/documents/read-document.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { documentsWhere, notProxy, notTrashed, notVersion } from '../../core/search/providers/conditions.ts'
import { listed, quoted } from '../../core/search/query/nxql-text.ts'
import type { InlineListener, Session, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { withOwnFacets } from '../../model/own-facets.ts'
import { textsOf } from '../../model/properties/property-texts.ts'
import { bindingsOf } from './bindings.ts'
import { boundContent, planBinding, requireTemplate } from './bound-template.ts'
import { maxBindings, templateFacet, templateProperties } from './template-model.ts'
import { isFor, templateSourceOf } from './template-source.ts'

/** A template that new documents of some types are bound to. */
interface ForcedTemplate {
  readonly id: DocumentId
  readonly types: ReadonlySet<string>
}

const mostForced = 500

/** Served by the index of forced types. Whoever says one is an administrator; a copy, which is anybody's to write, forces nothing. */
async function readForced(session: Session): Promise<readonly ForcedTemplate[]> {
  const types = listed([...session.model.types.keys()].map(quoted))
  const isForced = `${templateProperties.forcedTypes}/* IN ${types}`
  const query = `${documentsWhere(isForced, notTrashed, notVersion, notProxy)} ORDER BY dc:title, ecm:uuid`
  const { documents } = await searchDocuments(session, compile(session, query), { offset: 0, limit: mostForced })
  return documents
    .filter(({ id, properties }) => properties[templateProperties.forcedBy] === id)
    .map((document) => ({ id: document.id, types: new Set(textsOf(document, templateProperties.forcedTypes)) }))
}

const changes = ['documentCreated', 'documentImported', 'documentModified', 'documentCreatedByCopy', 'documentRestored']

/** Binds new documents to the templates that are forced on their type, as far as who makes them may read these. */
export function forcedTemplates() {
  const active = createActiveList('forcedTemplates', readForced)
  const bindNew: InlineListener = {
    name: 'bindToForcedTemplates',
    when: 'inline',
    gate: active.gate,
    events: ['aboutToCreate'],
    async handle({ document }, session) {
      const forced = (await active.load(session)).filter(({ types }) => types.has(document.type))
      let bound = document
      for (const { id } of forced) bound = await boundTo(session, bound, id)
      return bound
    },
  }
  const noteChanges: InlineListener = {
    name: 'noteForcedTemplates',
    when: 'inline',
    facet: templateFacet,
    events: [...changes, 'documentTrashed', 'documentUntrashed', 'documentRemoved'],
    handle: (_, session) => active.forget(session),
  }
  return { look: active.look, listeners: [bindNew, noteChanges] }
}

/** One that does not fit keeps nobody from making a document. */
async function boundTo(session: WriteSession, document: Document, id: DocumentId): Promise<Document> {
  const template = await findReadable(session, id)
  if (template === undefined || template.isTrashed || document.isVersion || document.isProxy) return document
  const source = templateSourceOf(template)
  const bindings = bindingsOf(document)
  const isTaken = bindings.some(({ templateId, templateName }) => templateId === id || templateName === source.name)
  if (isTaken || bindings.length >= maxBindings || !isFor(source, document)) return document
  const { facets, properties } = boundContent(
    session,
    document,
    planBinding(session, document, requireTemplate(session, template)),
  )
  const faceted = withOwnFacets(session.model, document, facets)
  return { ...faceted, properties: { ...faceted.properties, ...properties } }
}
