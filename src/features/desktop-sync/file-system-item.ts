import type { VendorIdentifiers } from '../../base/vendor.ts'
import { mainBlob, mainFile } from '../../core/blobs/document-blobs.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import { type Document, isUnderRetentionOrHold, titleOf } from '../../model/document.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { blobUrl } from '../../rest/render/blob-url.ts'
import { type ItemKind, itemId, topId } from './item-ids.ts'

/** A folder or a file as a client sees it. Dates are milliseconds. */
export interface FileSystemItem {
  readonly id: string
  readonly parentId: string | null
  readonly name: string
  readonly folder: boolean
  readonly creator: string | null
  readonly lastContributor: string | null
  readonly creationDate: number | null
  readonly lastModificationDate: number | null
  readonly canRename: boolean
  readonly canDelete: boolean
  readonly lockInfo: { readonly owner: string; readonly created: number } | null
  /** The ids of all that it is in, and its own. */
  readonly path: string
  readonly userName: string
}

export interface FolderItem extends FileSystemItem {
  readonly canCreateChild: boolean
  readonly canScrollDescendants: boolean
}

export interface FileItem extends FileSystemItem {
  /** Below the address of the server. */
  readonly downloadURL: string
  readonly digestAlgorithm: string
  readonly digest: string
  readonly size: number
  readonly canUpdate: boolean
}

/** Where an item is, by what it is in. */
export interface ItemPlace {
  readonly kind: ItemKind
  readonly parentId: string
  readonly parentPath: string
}

export function topItem({ principal, now }: Session, vendored: VendorIdentifiers): FolderItem {
  const id = topId(vendored)
  return {
    id,
    parentId: null,
    name: vendored('Platform Drive'),
    folder: true,
    creator: 'system',
    lastContributor: 'system',
    creationDate: Date.parse(now),
    lastModificationDate: Date.parse(now),
    canRename: false,
    canDelete: false,
    lockInfo: null,
    path: `/${id}`,
    userName: principal.name,
    canCreateChild: false,
    canScrollDescendants: false,
  }
}

/** Whether a client can show the document: a folder, or something with a file. Where it is does not matter. */
export function isShowable({ model }: Session, document: Document): boolean {
  if (!isInSight(model.shapeOf(document).hasFacet, document)) return false
  return isFolder({ model }, document) || mainBlob({ model }, document) !== undefined
}

export function isFolder({ model }: Pick<Session, 'model'>, document: Document): boolean {
  return shapeSeen(model, document).hasFacet('Folderish')
}

/** Whether somebody may have it as a root. */
export function isRootable({ model }: Session, document: Document): boolean {
  const { hasFacet } = model.shapeOf(document)
  if (document.isProxy || !isInSight(hasFacet, document)) return false
  return hasFacet('Folderish') || hasFacet('Collection')
}

/** The folder of all collections of a user holds nothing but collections, which are roots of their own or nothing to clients. */
function isInSight(hasFacet: (name: string) => boolean, { isVersion, isTrashed, path, type }: Document): boolean {
  return !isVersion && !isTrashed && path !== null && type !== 'Collections' && !hasFacet('HiddenInNavigation')
}

/** What the document is to a client who sees it there. As it is read: a proxy shows what it points to. */
export async function itemOf(session: Session, document: Document, place: ItemPlace): Promise<FolderItem | FileItem> {
  const isFixed = document.isProxy || session.model.shapeOf(document).hasFacet('PublishSpace')
  const main = mainBlob(session, document)
  const canWrite = !isFixed && (await hasPermission(session, document, 'WriteProperties'))
  // A record keeps its file with the name that this has, which is that of the item.
  const canRename = canWrite && !(main?.xpath === mainFile && isKeptRecord(session, document))
  const canDelete = place.kind !== 'item' || (!isFixed && (await canBeTrashed(session, document)))
  const common = { ...placed(session, document, place), canRename, canDelete }
  if (main === undefined || place.kind === 'collection' || isFolder(session, document)) {
    const canCreateChild = place.kind !== 'collection' && !isFixed && (await hasPermission(session, document, 'AddChildren'))
    return { ...common, name: titleOf(document), folder: true, canCreateChild, canScrollDescendants: place.kind !== 'collection' }
  }
  return { ...common, ...fileOf(document, main.blob), folder: false, canUpdate: canRename && !document.hasLegalHold }
}

function isKeptRecord({ now }: Session, document: Document): boolean {
  return document.isRecord && isUnderRetentionOrHold(document, now)
}

/** Where it is, and who has done what to it when. */
function placed({ principal }: Session, document: Document, { kind, parentId, parentPath }: ItemPlace) {
  const id = itemId(kind, document.repository, document.id)
  return {
    id,
    parentId,
    creator: textAt(document, 'dc:creator'),
    lastContributor: textAt(document, 'dc:lastContributor'),
    creationDate: dateAt(document, 'dc:created'),
    lastModificationDate: dateAt(document, 'dc:modified'),
    lockInfo: document.lock && { owner: document.lock.owner, created: Date.parse(document.lock.created) },
    path: `${parentPath}/${id}`,
    userName: principal.name,
  }
}

function fileOf(document: Document, { name: fileName, digestAlgorithm, digest, length: size }: BlobValue) {
  const name = fileName || titleOf(document)
  return { name, downloadURL: downloadUrl(document, name), digestAlgorithm, digest, size }
}

/** What goes into the trash is taken out of its folder, and gets another name there. */
async function canBeTrashed(session: Session, document: Document): Promise<boolean> {
  if (!(await hasPermission(session, document, 'Remove'))) return false
  const parent = document.parentId === null ? undefined : await session.reader.documents.find(document.parentId)
  if (parent === undefined) return false
  return (await hasPermission(session, parent, 'RemoveChildren')) && (await hasPermission(session, parent, 'AddChildren'))
}

/** Of those a file system of a client may refuse any. */
const unusable = /[/\\*<>?":|]/g

function downloadUrl({ repository, id }: Document, name: string): string {
  const shown = name.replaceAll(unusable, '-')
  return blobUrl('', { repository, documentId: id, xpath: 'blobholder:0', name: shown, changeToken: null })
}

function textAt({ properties }: Document, name: string): string | null {
  const value = properties[name]
  return typeof value === 'string' ? value : null
}

function dateAt(document: Document, name: string): number | null {
  const text = textAt(document, name)
  return text === null ? null : Date.parse(text)
}
