import type { Document } from '../../../model/document.ts'
import type { Model } from '../../../model/model.ts'
import type { Properties } from '../../../model/properties/property.ts'
import type { Shape } from '../../../model/shape.ts'
import type { Session } from '../../session.ts'

/** Schemas whose values a proxy keeps itself, whatever it points to. */
export const proxySchemas = ['collectionMember', 'notification'] as const
/** The facets that bring those schemas to other documents. */
const proxyFacets = ['CollectionMember', 'Notifiable'] as const

/**
 * A proxy as a client sees it: its own place, id and rights with the type, state and properties of what it points to.
 * Any other document is returned as it is.
 */
export async function throughProxy(session: Session, document: Document): Promise<Document> {
  if (!document.isProxy || document.targetId === null) return document
  const target = await findTarget(session, document)
  return target === undefined ? document : seenThrough(session.model, document, target)
}

/** What a proxy points to; any other document is its own target. */
export async function findTarget(session: Session, document: Document): Promise<Document | undefined> {
  return document.isProxy && document.targetId !== null ? session.reader.documents.find(document.targetId) : document
}

/** The same with the target at hand. */
export function seenThrough(model: Model, proxy: Document, target: Document): Document {
  return {
    ...target,
    repository: proxy.repository,
    id: proxy.id,
    parentId: proxy.parentId,
    name: proxy.name,
    path: proxy.path,
    position: proxy.position,
    isTrashed: proxy.isTrashed,
    isVersion: false,
    isProxy: true,
    targetId: proxy.targetId,
    seriesId: proxy.seriesId,
    proxyChangeToken: proxy.changeToken,
    acls: proxy.acls,
    acpId: proxy.acpId,
    properties: shownProperties(model, proxy, target),
  }
}

/** What a document can hold, with what a proxy keeps itself. */
export function shapeSeen(model: Model, { type, facets, isProxy }: Document): Shape {
  return model.shapeOf({ type, facets: isProxy ? [...new Set([...facets, ...proxyFacets])] : facets })
}

/** What a proxy shows of its target, with what it keeps itself. */
export function shownProperties(model: Model, proxy: Document, target: Document): Properties {
  return { ...splitByOwner(model, target, target.properties).shown, ...splitByOwner(model, target, proxy.properties).own }
}

/** Of the properties of a proxy those that it keeps itself, and those of what it points to. */
export function splitByOwner(
  model: Model,
  target: Pick<Document, 'isVersion'>,
  properties: Properties,
): { readonly own: Properties; readonly shown: Properties } {
  const names = ownNames(model, target)
  const pick = (isOwn: boolean) => Object.fromEntries(Object.entries(properties).filter(([name]) => names.has(name) === isOwn))
  return { own: pick(true), shown: pick(false) }
}

/** When a version was published is said of each publication: on the version it would tell its readers of places hidden from them. */
const issued = 'dc:issued'

function ownNames(model: Model, { isVersion }: Pick<Document, 'isVersion'>): ReadonlySet<string> {
  const schemas = proxySchemas.flatMap((name) => model.schemas.get(name) ?? [])
  const names = schemas.flatMap((schema) => model.propertiesOf(schema)).map((property) => property.name)
  return new Set(isVersion ? [...names, issued] : names)
}
