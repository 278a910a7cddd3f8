import type { DocumentEvent, InlineListener, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { actingName } from '../../model/principal.ts'
import { stampedAsCreated, stampedAsModified } from './stamp.ts'

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

export function isStamped(document: Document, session: WriteSession): boolean {
  const shape = session.model.shapeOf(document)
  return !document.isVersion && shape.hasSchema('dublincore') && !shape.hasFacet('SystemDocument')
}

function stampedProperties({ name, document, properties }: DocumentEvent, session: WriteSession) {
  const user = actingName(session.principal)
  if (name === 'aboutToCreate') return stampedAsCreated(document.properties, user, session.now)
  if (isServerAlone(session) || properties['documentIsDirty'] !== true) return undefined
  return stampedAsModified(document.properties, user, session.now)
}

/** The server itself, acting for nobody, leaves no trace as a contributor. */
export function isServerAlone({ principal }: WriteSession): boolean {
  return principal.isSystem && principal.onBehalfOf === undefined
}
