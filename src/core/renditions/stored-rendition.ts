import type { Document, DocumentId } from '../../model/document.ts'
import type { BlobValue, Properties } from '../../model/properties/property.ts'
import type { Principal } from '../../model/rights/principal.ts'
import { createDocument } from '../documents/create-document.ts'
import { store } from '../documents/read-for-update.ts'
import { compile, searchDocuments } from '../search/page/run-query.ts'
import { quoted } from '../search/query/nxql-text.ts'
import type { Session, WriteSession } from '../session.ts'
import type { Rendition } from './rendition.ts'

/** Which rendition of which state of a document, for whom. */
export interface RenditionIdentity {
  readonly rendition: Pick<Rendition, 'name' | 'isPerUser'>
  /** The version, or the document itself where it has none. */
  readonly source: Document
  readonly principal: Principal
}

/** Whose rights decided what is in it; null where that is the same for all who may have it. */
export function variantOf(
  { isPerUser = false }: Pick<Rendition, 'isPerUser'>,
  { name, isAdministrator }: Principal,
): string | null {
  if (!isPerUser) return null
  return isAdministrator ? 'administratoruser:' : `user:${name}`
}

/**
 * Only the server stores renditions, and without a place: what looks like one in a folder is a document that somebody wrote, and a version
 * may be of such a one.
 */
export function isStoredRendition({ path, isVersion, isProxy }: Document): boolean {
  return path === null && !isVersion && !isProxy
}

/** One that was stored of this very state. Nobody but the server reads these documents themselves. */
export async function findStoredRendition(session: Session, identity: RenditionIdentity): Promise<Document | undefined> {
  const { source, rendition, principal } = identity
  const system = session.asSystem()
  const where = `ecm:mixinType = 'Rendition' AND rend:sourceId = ${quoted(source.id)} AND rend:renditionName = ${quoted(rendition.name)}`
  const { documents } = await searchDocuments(system, compile(system, `SELECT * FROM Document WHERE ${where}`), { offset: 0 })
  const variant = variantOf(rendition, principal)
  return documents.find(
    (found) =>
      isStoredRendition(found) &&
      (found.properties['rend:renditionVariant'] ?? null) === variant &&
      (found.properties['rend:sourceModificationDate'] ?? null) === (source.properties['dc:modified'] ?? null),
  )
}

const quietly = { dublincore: false, audit: false, automaticVersioning: false, media: false }

/** A document of its own without a place, which shows the rendition and says what it is of. Rights to it are those of its proxies. */
export async function storeRendition(session: WriteSession, identity: RenditionIdentity, blob: BlobValue): Promise<Document> {
  const { source, rendition, principal } = identity
  const liveId: DocumentId = source.seriesId ?? source.id
  const described = Object.entries(source.properties).filter(([name]) => name.startsWith('dc:'))
  const properties: Properties = {
    ...Object.fromEntries(described),
    'file:content': blob,
    'rend:sourceId': source.id,
    'rend:sourceVersionableId': liveId,
    'rend:sourceModificationDate': source.properties['dc:modified'] ?? null,
    'rend:renditionName': rendition.name,
    'rend:renditionVariant': variantOf(rendition, principal),
  }
  const system = session.asSystem()
  const facets = ['Rendition']
  const made = await createDocument(system, {
    parent: null,
    type: 'File',
    name: source.name,
    facets,
    properties,
    options: quietly,
  })
  // Its proxies count among those of the document.
  return store(system, made, { ...made, seriesId: liveId })
}
