import { readStoredForUpdate, store } from '../../core/documents/read-for-update.ts'
import { announce } from '../../core/event.ts'
import { requirePermission } from '../../core/permissions.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { Properties } from '../../model/properties/property.ts'
import { bytesIn } from '../../model/properties/property.ts'
import { countSizes } from './count-sizes.ts'
import { quotaAboveParent, quotaHasNoPlace, quotaNotValid } from './problems.ts'
import {
  deleteFolder,
  findFolder,
  insertFolder,
  listFoldersAt,
  listFoldersBelow,
  lockFolder,
  noteShown,
  type QuotaFolder,
  setLimit,
} from './quota-folders.ts'
import { statisticsFacet, statisticsPrefix } from './quota-model.ts'
import { isAtOrBelow, pathsDownTo, type Sizes } from './sizes.ts'

const lifted = -1

/**
 * Gives a folder a quota, another one, or none (-1), and gives what it is then. It may be less than what is there: then nothing can be
 * added until enough is removed.
 * @throws quotaNotValid, quotaHasNoPlace, quotaAboveParent
 */
export async function setQuota(
  session: WriteSession,
  id: DocumentId,
  asked: number | bigint,
  mostAllowed: number,
): Promise<number> {
  const max = Number(asked)
  if (!Number.isSafeInteger(max) || max < lifted || max > mostAllowed) {
    throw quotaNotValid({ asked: `${asked} bytes`, max: mostAllowed })
  }
  const document = await readStoredForUpdate(session, id)
  await requirePermission(session, document, 'WriteProperties')
  const path = placeOf(session, document)
  await session.settleFiles()
  const before = await findFolder(session.tx.tables, id)
  if (max === lifted) await lift(session, document, before)
  else await give(session, { ...document, path }, before, max)
  return max
}

/** Where the quota is to hold. @throws quotaHasNoPlace */
function placeOf({ model }: WriteSession, document: Document): string {
  const { id, path, isProxy, isVersion } = document
  if (isProxy) throw quotaHasNoPlace({ id, reason: 'it is a proxy, and files count where they are' })
  if (isVersion) throw quotaHasNoPlace({ id, reason: 'it is a version' })
  if (path === null) throw quotaHasNoPlace({ id, reason: 'it has no place in the tree' })
  if (!model.shapeOf(document).hasFacet('Folderish')) throw quotaHasNoPlace({ id, reason: 'it is no folder' })
  return path
}

async function lift(session: WriteSession, document: Document, before: QuotaFolder | undefined): Promise<void> {
  // What came with an archive says that it has a quota, and has none here.
  if (before === undefined && !document.facets.includes(statisticsFacet)) return
  await deleteFolder(session.tx.tables, document.id)
  const facets = document.facets.filter((facet) => facet !== statisticsFacet)
  const after = { ...document, facets, properties: withoutStatistics(document.properties) }
  await storeAndTell(session, document, after, `The quota of ${before?.max ?? 0} bytes was lifted.`)
}

type PlacedDocument = Document & { readonly path: string }

async function give(
  session: WriteSession,
  document: PlacedDocument,
  before: QuotaFolder | undefined,
  max: number,
): Promise<void> {
  const { tables, documents } = session.tx
  if (before?.max === max) return
  if (max > 0) await requireRoomAbove(session, document, max)
  let sizes = before?.sizes
  if (sizes === undefined) {
    // Whoever writes a file at or below the folder has a lock there until it is committed: what is counted is all there is, and who comes
    // later sees the quota.
    await documents.lockSubtree(document.path)
    sizes = await countSizes(session, document.path)
    await insertFolder(tables, document.id, max, sizes)
  } else {
    await setLimit(tables, document.id, max)
    await noteShown(tables, document.id, sizes)
  }
  const comment =
    before === undefined ? `The quota was set to ${max} bytes.` : `The quota was changed from ${before.max} to ${max} bytes.`
  await storeAndTell(session, document, withStatistics(document, max, sizes), comment)
}

/**
 * All quotas below a folder that has one fit into it together, as in the original; what has its quota from a folder in between is in that
 * one's. @throws quotaAboveParent
 */
async function requireRoomAbove({ tx: { tables } }: WriteSession, { id, path }: PlacedDocument, asked: number): Promise<void> {
  const above = (await listFoldersAt(tables, pathsDownTo(path))).filter((folder) => folder.id !== id && folder.max > 0)
  const nearest = above.at(-1)
  if (nearest === undefined) return
  // Of two that are set at once below one folder the second sees the first.
  await lockFolder(tables, nearest.id)
  const now = (await findFolder(tables, nearest.id)) ?? nearest
  const below = (await listFoldersBelow(tables, nearest.path)).filter(
    (folder) => folder.max > 0 && !isAtOrBelow(folder.path, path),
  )
  const uppermost = below.filter(({ path: one }) => !below.some((other) => other.path !== one && isAtOrBelow(one, other.path)))
  const others = uppermost.reduce((sum, folder) => sum + folder.max, 0)
  if (others + asked > now.max) throw quotaAboveParent({ asked, path: now.path, max: now.max, others })
}

/** The folder as its properties tell of the quota. */
export function withStatistics(document: Document, max: number, { total, trash, versions }: Sizes): Document {
  const facets = document.facets.includes(statisticsFacet) ? document.facets : [...document.facets, statisticsFacet]
  const statistics = {
    'dss:innerSize': bytesIn(document.properties),
    'dss:totalSize': total,
    'dss:sizeTrash': trash,
    'dss:sizeVersions': versions,
    'dss:maxSize': max,
  }
  return { ...document, facets, properties: { ...document.properties, ...statistics } }
}

export function withoutStatistics(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith(statisticsPrefix)))
}

/** Whoever edits the folder meanwhile need not notice: it is none of their fields. */
async function storeAndTell(session: WriteSession, before: Document, after: Document, comment: string): Promise<void> {
  const stored = await store(session, before, after)
  const properties = { previousDocumentModel: before }
  await announce(session, 'documentModified', stored, { comment, properties, options: { dublincore: false } })
}
