import { defineProblem } from '../../base/problem.ts'
import { createEntryNames } from '../../base/zip/entry-names.ts'
import type { ZipEntry } from '../../base/zip/write-zip.ts'
import { shapeSeen, throughProxy } from '../../core/documents/proxies/proxy.ts'
import { findReadable } from '../../core/documents/read-document.ts'
import { folderOrder, visibleTo } from '../../core/documents/visible-children.ts'
import { hasPermission } from '../../core/permissions.ts'
import { isContainer, type RenditionReason } from '../../core/renditions/default-rendition.ts'
import type { RenderedFile, RenditionCall, TakenFile } from '../../core/renditions/rendition.ts'
import { renderDefault } from '../../core/renditions/renditions.ts'
import type { Session } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { Services } from '../../rest/services.ts'
import { entryDate, storeZip, zipContent } from '../files/index.ts'

export const tooManyInArchive = defineProblem(
  'tooManyInArchive',
  'tooLarge',
  (of: { max: number }) => `An archive takes no more than ${of.max} documents. Ask for fewer levels, or for fewer at each.`,
)

/** How far down an archive of a container goes. */
export interface ContainerBounds {
  /** Of documents at each level. */
  readonly limit: number
  /** Containers further down are left out. */
  readonly maxDepth: number
  readonly reason: RenditionReason
}

/** Of the rendition that everybody is offered (contract: blobs 7.5). */
export const usualBounds: ContainerBounds = { limit: 200, maxDepth: 2, reason: 'download' }

// Collections may contain each other in so many ways that no level and no size bounds the work.
const maxDocuments = 50_000

type ZipServices = Pick<Services, 'renditions' | 'valuesOf'>

/**
 * A folder or collection as one file: the default renditions of what is in it, and containers in it as archives of their own. It is
 * stored like any other until it is collected, so that it can be asked for in parts; as long as nothing in it changes it is made of
 * the same bytes and stored once.
 * @throws archiveTooLarge, tooManyInArchive
 */
export async function zipContainer(services: ZipServices, call: RenditionCall, bounds: ContainerBounds): Promise<RenderedFile> {
  const zipping: Zipping = { services, bounds, contains: [], counted: { documents: 0 }, above: [] }
  return { ...(await zipLevel(zipping, call)), isUndated: true, contains: zipping.contains }
}

interface Zipping {
  readonly services: ZipServices
  readonly bounds: ContainerBounds
  readonly contains: TakenFile[]
  readonly counted: { documents: number }
  /** The containers on the way. */
  readonly above: readonly DocumentId[]
}

async function zipLevel(zipping: Zipping, call: RenditionCall): Promise<Pick<RenderedFile, 'blob'>> {
  const { session, document, signal } = call
  const within = { ...zipping, above: [...zipping.above, document.id] }
  return storeZip(session.repository, everyEntry(within, call), {
    services: zipping.services,
    name: `${document.name === '' ? 'documents' : document.name}.zip`,
    signal,
  })
}

async function* everyEntry(zipping: Zipping, call: RenditionCall): AsyncGenerator<ZipEntry> {
  const nameOf = createEntryNames()
  for await (const document of everyWithin(call.session, call.document, zipping.bounds.limit)) {
    if (++zipping.counted.documents > maxDocuments) throw tooManyInArchive({ max: maxDocuments })
    call.signal.throwIfAborted()
    const file = await renderWithin(zipping, { ...call, document })
    if (file === undefined) continue
    const content = zipContent(call.session.repository, file)
    yield { name: nameOf(file.blob.name), modified: entryDate(document), content }
  }
}

/** What a document becomes in the archive; nothing where it has no file, or none that may be had. */
async function renderWithin(zipping: Zipping, call: RenditionCall): Promise<Pick<RenderedFile, 'blob' | 'bytes'> | undefined> {
  const { bounds, above, contains, services } = zipping
  const { session, document } = call
  if (isContainer(shapeSeen(session.model, document))) {
    const isWithin = above.length < bounds.maxDepth && !above.includes(document.id)
    return isWithin ? zipLevel(zipping, call) : undefined
  }
  const rendered = await renderDefault(services.renditions, call, bounds.reason)
  if (rendered === undefined) return undefined
  const { blob, bytes, xpath, rendition } = rendered
  const content = { blob, ...(bytes !== undefined && { bytes }) }
  const taken = { document, ...(xpath !== undefined && { xpath }), ...(rendition !== 'mainBlob' && { rendition }) }
  if (!(await call.mayTake({ ...content, ...taken }))) return undefined
  // Not its bytes, which are written by now: listeners are told of the file alone.
  contains.push({ blob, ...taken })
  return content
}

/** What a folder or collection has in it that the caller may read, in order: children, or members wherever they are. */
function everyWithin(session: Session, container: Document, limit: number): AsyncGenerator<Document> {
  return shapeSeen(session.model, container).hasFacet('Folderish')
    ? everyChild(session, container, limit)
    : everyMember(session, container, limit)
}

const listedAtOnce = 200

async function* everyChild(session: Session, folder: Document, limit: number): AsyncGenerator<Document> {
  if (!(await hasPermission(session, folder, 'ReadChildren'))) return
  const filter = await visibleTo(session, folder)
  const order = folderOrder(session, folder)
  const { maxListedBytes } = session.repository.rules
  for (let offset = 0; offset < limit; offset += listedAtOnce) {
    const size = Math.min(listedAtOnce, limit - offset)
    const children = await session.reader.documents.listChildren(filter, order, size, offset, maxListedBytes)
    for (const child of children) {
      if (await hasPermission(session, child, 'Read')) yield throughProxy(session, child)
    }
    if (children.length < size) return
  }
}

async function* everyMember(session: Session, { properties }: Document, limit: number): AsyncGenerator<Document> {
  const ids = properties['collection:documentIds']
  for (const id of Array.isArray(ids) ? ids.slice(0, limit) : []) {
    const member = await findReadable(session, String(id))
    if (member !== undefined && !member.isTrashed) yield member
  }
}
