import type { IsoDate } from '../../base/iso-date.ts'
import { store } from '../../core/documents/read-for-update.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import type { DocumentEvent, InlineListener, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Properties } from '../../model/properties/property.ts'
import { actingName } from '../../model/rights/principal.ts'
import { isImmutable } from '../../model/versioning.ts'

/** Says on the publication of a version when it was published. The version itself stays as it is, wherever it is published. */
export const issuePublications: InlineListener = {
  name: 'dublincoreOfPublications',
  when: 'inline',
  events: ['documentPublished'],
  order: 120,
  async handle({ document, options }, session) {
    if (options.dublincore === false || document.targetId === null || !isImmutable(document)) return
    if (!session.model.shapeOf(document).hasSchema('dublincore')) return
    await saveDocument(session.asSystem(), document.id, { 'dc:issued': session.now }, { dublincore: false })
  },
}

/** Stamps documents with who created or changed them and when, unless the save says otherwise. */
export const stampDocuments: InlineListener = {
  name: 'dublincore',
  when: 'inline',
  events: ['aboutToCreate', 'beforeDocumentModification'],
  order: 120,
  handle(event, session) {
    if (event.options.dublincore === false || !isStamped(event.document, session)) return undefined
    const properties = stampedProperties(event, session)
    return properties && { ...event.document, properties }
  },
}

function isStamped(document: Document, session: WriteSession): boolean {
  const shape = session.model.shapeOf(document)
  return !document.isVersion && shape.hasSchema('dublincore') && !shape.hasFacet('SystemDocument')
}

function stampedProperties({ name, document, properties }: DocumentEvent, session: WriteSession) {
  const user = actingName(session.principal)
  if (name === 'aboutToCreate') return stampedAsCreated(document.properties, user, session.now)
  if (isServerAlone(session) || properties['documentIsDirty'] !== true) return undefined
  return stampedAsModified(document.properties, user, session.now)
}

/** The server itself, acting for no user, leaves no trace as a contributor. */
function isServerAlone({ principal }: WriteSession): boolean {
  return principal.isSystem && principal.onBehalfOf === undefined
}

/** Makes the user who copied a document the creator of the copy, where that is asked for or always so. */
export const resetCopies = ({ always }: { readonly always: boolean }): InlineListener => ({
  name: 'dublincoreOfCopies',
  when: 'inline',
  events: ['documentCreatedByCopy'],
  order: 120,
  async handle({ document, properties, options }, session) {
    const isReset = always || properties['resetCreator'] === true
    if (!isReset || options.dublincore === false || document.isProxy || !isStamped(document, session)) return
    const stamped = stampedAsNew(document.properties, actingName(session.principal), session.now)
    await store(session, document, { ...document, properties: stamped })
  },
})

/** A user who follows a transition has changed the document. */
export const stampTransitions: InlineListener = {
  name: 'dublincoreOfTransitions',
  when: 'inline',
  events: ['lifecycle_transition_event'],
  order: 120,
  async handle({ document: { id }, options }, session) {
    if (options.dublincore === false || isServerAlone(session)) return
    const document = await session.tx.documents.findForUpdate(id)
    if (document === undefined || !isStamped(document, session)) return
    const properties = stampedAsModified(document.properties, actingName(session.principal), session.now)
    await store(session, document, { ...document, properties })
  },
}

/** The properties of a document that `user` creates now. A creator that was sent stays; so do contributors, with the user added. */
function stampedAsCreated(properties: Properties, user: string, now: IsoDate): Properties {
  return {
    ...stampedAsModified(properties, user, now),
    'dc:created': now,
    'dc:creator': properties['dc:creator'] ?? user,
  }
}

/** The properties of a copy that is to be the work of `user` alone. */
function stampedAsNew(properties: Properties, user: string, now: IsoDate): Properties {
  return stampedAsCreated({ ...properties, 'dc:creator': null, 'dc:contributors': null }, user, now)
}

/** The properties of a document that `user` changes now. */
function stampedAsModified(properties: Properties, user: string, now: IsoDate): Properties {
  return {
    ...properties,
    'dc:modified': now,
    'dc:lastContributor': user,
    'dc:contributors': withContributor(properties['dc:contributors'], user),
  }
}

function withContributor(contributors: Properties[string] | undefined, user: string): readonly string[] {
  const known = Array.isArray(contributors) ? contributors.filter((one) => typeof one === 'string').map(withoutPrefix) : []
  return known.includes(user) ? known : [...known, user]
}

// Old lists carry `user:` or `group:` before each name.
function withoutPrefix(contributor: string): string {
  return contributor.replace(/^(?:user|group):/, '')
}
