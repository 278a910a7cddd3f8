import type { Document, DocumentId } from '../../../model/document.ts'
import type { Model } from '../../../model/model.ts'
import type { Properties } from '../../../model/properties/property.ts'
import type { Shape } from '../../../model/shape.ts'
import { announce } from '../../event.ts'
import type { Session, WriteSession } from '../../session.ts'

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

/** What a document can hold, with what is a proxy's own. */
export function shapeSeen(model: Model, { type, facets, isProxy }: Document): Shape {
  return model.shapeOf({ type, facets: isProxy ? [...new Set([...facets, ...proxyFacets])] : facets })
}

/** What a proxy shows of its target, with what it keeps itself. */
function shownProperties(model: Model, proxy: Document, target: Document): Properties {
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

/** Announces the proxies that show the saved document as it is. What a proxy to a version shows does not change. */
export async function announceProxyUpdates(
  session: WriteSession,
  saved: Document,
  proxyIds: readonly DocumentId[],
): Promise<void> {
  if (saved.isVersion || proxyIds.length === 0) return
  for (const proxy of await session.tx.documents.findAll(proxyIds)) {
    await announce(session, 'documentProxyUpdated', seenThrough(session.model, proxy, saved))
  }
}

/**
 * The row of a proxy that points to the target. It repeats what it shows, beside what is its own: code that looks at rows
 * only, as queries do, finds a proxy by the values of its target.
 */
export function repeating(model: Model, proxy: Document, target: Document): Document {
  const { type, facets, state, majorVersion, minorVersion, versionCreated, versionComment } = target
  return {
    ...proxy,
    targetId: target.id,
    seriesId: target.seriesId ?? target.id,
    type,
    facets,
    state,
    majorVersion,
    minorVersion,
    versionCreated,
    versionComment,
    isLatestVersion: target.isLatestVersion,
    isLatestMajorVersion: target.isLatestMajorVersion,
    properties: shownProperties(model, proxy, target),
  }
}

/** A proxy that is about to be written, with what its target is now; that stays so until the proxy is there to be told. */
export async function withTarget(session: WriteSession, proxy: Document): Promise<Document> {
  const { documents } = session.tx
  const target = proxy.targetId === null ? undefined : await documents.find(proxy.targetId)
  const locked = target && (await documents.findForShare(target))
  return locked === undefined ? proxy : repeating(session.model, proxy, locked)
}

/**
 * Has the proxies of a document, which was just written, repeat what it is now. Nothing about themselves has changed, so they keep
 * their tokens.
 */
export async function repeatTarget(session: WriteSession, target: Document, proxyIds: readonly DocumentId[]): Promise<void> {
  const { documents } = session.tx
  for (const id of proxyIds) {
    const proxy = await documents.findForUpdate(id)
    if (proxy?.targetId === target.id) await documents.update(proxy, repeating(session.model, proxy, target))
  }
}
