import type { Document } from '../../model/document.ts'
import type { Properties } from '../../model/property.ts'
import type { Session } from '../session.ts'

/** Schemas whose values a proxy keeps itself, whatever it points to. */
export const proxySchemas = ['collectionMember', 'notification'] as const

/**
 * A proxy as a client sees it: its own place, id and rights with the type, state and properties of what it points to.
 * Any other document is returned as it is.
 */
export async function throughProxy(session: Session, document: Document): Promise<Document> {
  if (!document.isProxy || document.targetId === null) return document
  const target = await session.reader.documents.find(document.targetId)
  if (target === undefined) return document
  return {
    ...target,
    repository: document.repository,
    id: document.id,
    parentId: document.parentId,
    name: document.name,
    path: document.path,
    position: document.position,
    isTrashed: document.isTrashed,
    isVersion: false,
    isProxy: true,
    targetId: document.targetId,
    seriesId: document.seriesId,
    lock: document.lock,
    proxyChangeToken: document.changeToken,
    acls: document.acls,
    acpId: document.acpId,
    properties: { ...withoutProxyOwn(session, target.properties), ...document.properties },
  }
}

function withoutProxyOwn(session: Session, properties: Properties): Properties {
  const own = new Set(proxySchemas.flatMap((name) => proxyProperties(session, name)))
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !own.has(name)))
}

function proxyProperties(session: Session, schemaName: string): readonly string[] {
  const schema = session.model.schemas.get(schemaName)
  return schema === undefined ? [] : session.model.propertiesOf(schema).map((property) => property.name)
}
