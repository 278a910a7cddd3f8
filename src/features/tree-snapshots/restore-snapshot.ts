import { everyReadableChild } from '../../core/documents/children.ts'
import { isOrdered } from '../../core/documents/folder-for-insert.ts'
import { importDocument } from '../../core/documents/import-document.ts'
import { moveDocument } from '../../core/documents/place/move-document.ts'
import { requireRead } from '../../core/documents/read-document.ts'
import { readForUpdate, readStoredForUpdate } from '../../core/documents/read-for-update.ts'
import { trashDocument } from '../../core/documents/trash/trash-document.ts'
import { untrashDocument } from '../../core/documents/trash/untrash-document.ts'
import { restoreVersion } from '../../core/documents/versions/restore-version.ts'
import { announce } from '../../core/event.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { Bounds } from './folder-tree.ts'
import { notASnapshot, notLiveInPlace, snapshotIncomplete, treeTooLarge } from './snapshot-mistakes.ts'
import { nameProperty, partsOf, snapshotFacet } from './snapshot-model.ts'

export interface Restoring {
  /** What has changed since its last version is kept as one first. */
  readonly createVersion: boolean
  /** What was not in the tree then goes into the trash. */
  readonly trashOthers: boolean
  readonly bounds: Bounds
}

/** A version of a tree, and the live document that it is brought back to. */
interface Part {
  readonly versionId: DocumentId
  readonly liveId: DocumentId
  readonly parent: Part | undefined
  readonly isFolder: boolean
  /** Live documents and proxies that were in it, in its order. */
  readonly inside: DocumentId[]
}

/**
 * Makes a tree what it was in a version of it: documents get back what they were, those that were moved away or put into the trash come
 * back, and what came since goes into the trash. Proxies stay where they are. All or nothing. Gives the live document.
 * @throws notASnapshot, snapshotIncomplete, treeTooLarge, notLiveInPlace, privilegeMissing
 */
export async function restoreSnapshot(session: WriteSession, version: Document, restoring: Restoring): Promise<Document> {
  const parts = await readParts(session, version, restoring.bounds)
  for (const id of parts.map(({ liveId }) => liveId).sort()) await session.tx.documents.findForUpdate(id)
  for (const part of parts) {
    await restoring.bounds.budget.operation()
    await bringBack(session, part, restoring)
  }
  // Only now has everything that was elsewhere left the folders that go.
  for (const part of parts.filter(({ isFolder }) => isFolder)) await tidy(session, part, restoring)
  return readStoredForUpdate(session, parts[0]?.liveId ?? version.id)
}

/** All versions of the tree, a folder before what was in it. Each has to be readable, so that nothing comes back by half. */
async function readParts(session: WriteSession, version: Document, { max, budget }: Bounds): Promise<readonly Part[]> {
  if (!version.isVersion || !session.model.shapeOf(version).hasFacet(snapshotFacet)) throw notASnapshot(version)
  const parts: Part[] = [await partOf(session, version, undefined)]
  const known = new Set(parts.map(({ liveId }) => liveId))
  for (const part of parts) {
    if (!part.isFolder) continue
    for (const id of partsOf(await readStored(session, part.versionId))) {
      await budget.work(1)
      const inside = await session.tx.documents.find(id)
      // A proxy that is gone is nothing that could come back. A version is never gone: nobody removes one that a tree names.
      if (inside === undefined) continue
      part.inside.push(inside.isProxy ? id : requireSeries(inside))
      if (inside.isProxy) continue
      const child = await partOf(session, inside, part)
      if (known.has(child.liveId)) throw snapshotIncomplete({ id })
      known.add(child.liveId)
      parts.push(child)
      if (parts.length > max) throw treeTooLarge({ max })
    }
  }
  return parts
}

async function partOf(session: WriteSession, version: Document, parent: Part | undefined): Promise<Part> {
  const liveId = requireSeries(version)
  await requireRead(session, version)
  const isFolder = session.model.shapeOf(version).hasFacet(snapshotFacet)
  return { versionId: version.id, liveId, parent, isFolder, inside: [] }
}

/** @throws snapshotIncomplete */
function requireSeries({ id, isVersion, seriesId }: Document): DocumentId {
  if (!isVersion || seriesId === null) throw snapshotIncomplete({ id })
  return seriesId
}

async function readStored({ tx }: WriteSession, id: DocumentId): Promise<Document> {
  const found = await tx.documents.find(id)
  if (found === undefined) throw snapshotIncomplete({ id })
  return found
}

async function bringBack(session: WriteSession, part: Part, { createVersion }: Restoring): Promise<void> {
  const live = await placeLive(session, part)
  if (live.isCheckedIn && live.baseVersionId === part.versionId) return
  await restoreVersion(session, live.id, part.versionId, { skipSnapshot: !createVersion })
}

/** The live document where the tree had it. What is moved before it leaves the trash does not take the folder with it that it was in. */
async function placeLive(session: WriteSession, { liveId, versionId, parent }: Part): Promise<Document> {
  const live = await session.tx.documents.find(liveId)
  if (live === undefined) return createAnew(session, liveId, versionId, parent)
  if (parent === undefined) {
    if (live.isTrashed) throw notLiveInPlace({ id: liveId, what: 'in the trash' })
    return readForUpdate(session, liveId, 'WriteVersion')
  }
  const placed = live.parentId === parent.liveId ? live : await moveDocument(session, liveId, { parentId: parent.liveId })
  return placed.isTrashed ? untrashDocument(session, liveId) : placed
}

/** What was removed for good gets its id again, which administrators alone may give; to all others its versions are hidden. */
async function createAnew(
  session: WriteSession,
  id: DocumentId,
  versionId: DocumentId,
  parent: Part | undefined,
): Promise<Document> {
  if (parent === undefined) throw snapshotIncomplete({ id })
  const version = await readStored(session, versionId)
  const { type, facets, properties, majorVersion, minorVersion } = version
  const kept = properties[nameProperty]
  return importDocument(session, {
    id,
    parent: await readStored(session, parent.liveId),
    type,
    name: typeof kept === 'string' && kept !== '' ? kept : version.name,
    facets,
    properties,
    history: { majorVersion, minorVersion },
    // It is a version's content, which the rules of its time let in.
    options: { automaticVersioning: false, validation: false },
  })
}

/** Puts what came since into the trash, and the rest into its order. What the caller may not read was not in the tree for them, and stays. */
async function tidy(session: WriteSession, { liveId, inside }: Part, { trashOthers, bounds }: Restoring): Promise<void> {
  const folder = await readStoredForUpdate(session, liveId)
  const wanted = new Set(inside)
  const others: DocumentId[] = []
  for await (const page of everyReadableChild(session, folder)) {
    for (const { id, isProxy, isTrashed } of page) if (!isProxy && !isTrashed && !wanted.has(id)) others.push(id)
    await bounds.budget.work(page.length)
  }
  for (const id of trashOthers ? others : []) {
    await bounds.budget.operation()
    await trashDocument(session, id)
  }
  if (isOrdered(session, folder)) await orderAgain(session, folder, inside)
}

async function orderAgain(session: WriteSession, folder: Document, inside: readonly DocumentId[]): Promise<void> {
  const ids = await session.tx.documents.listChildIds(folder.id)
  const present = new Set(ids)
  const first = inside.filter((id) => present.has(id))
  const ordered = [...new Set([...first, ...ids])]
  if (ordered.every((id, at) => id === ids[at])) return
  await session.tx.documents.setPositions(ordered)
  await announce(session, 'childrenOrderChanged', folder)
}
