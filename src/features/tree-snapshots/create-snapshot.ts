import { readStoredForUpdate } from '../../core/documents/read-for-update.ts'
import { saveContent, saveDocument } from '../../core/documents/save-document.ts'
import { checkIn } from '../../core/documents/versions/check-in.ts'
import { checkOut } from '../../core/documents/versions/check-out.ts'
import { offer } from '../../core/event.ts'
import { requirePermission } from '../../core/permissions.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { withFacet } from '../../model/own-facets.ts'
import { changedNames, sameValue } from '../../model/properties/property.ts'
import type { VersioningOption } from '../../model/versioning.ts'
import { type Bounds, lockTree, readTree, type TreeNode } from './folder-tree.ts'
import { notLiveInPlace, notSnapshotable } from './snapshot-mistakes.ts'
import { childrenProperty, nameProperty, partsOf, snapshotableFacet, snapshotFacet } from './snapshot-model.ts'

export interface Snapshotting {
  readonly option: VersioningOption
  readonly bounds: Bounds
}

/**
 * Makes a version of a document and of all below it that the caller may read, and gives that of the document itself. A version of a
 * folder names those of what was in it; what has not changed since its last version keeps that. All or nothing.
 * @throws notSnapshotable, notLiveInPlace, treeTooLarge, privilegeMissing for what has changed and may not be written
 */
export async function createSnapshot(session: WriteSession, id: DocumentId, { option, bounds }: Snapshotting): Promise<Document> {
  const root = await readRoot(session, id)
  const nodes = await readTree(session, root, bounds)
  await lockTree(session, nodes)
  const versionIds = new Map<DocumentId, DocumentId>()
  for (const node of nodes.toReversed()) {
    await bounds.budget.operation()
    versionIds.set(node.id, await versionOf(session, node, { root, option, versionIds }))
  }
  return readStoredForUpdate(session, versionIds.get(root.id) ?? root.id)
}

async function readRoot(session: WriteSession, id: DocumentId): Promise<Document> {
  const root = await readStoredForUpdate(session, id)
  await requirePermission(session, root, 'WriteProperties')
  if (root.isVersion) throw notLiveInPlace({ id, what: 'a version' })
  if (root.isProxy) throw notLiveInPlace({ id, what: 'a proxy' })
  if (root.isTrashed) throw notLiveInPlace({ id, what: 'in the trash' })
  if (!session.model.shapeOf(root).hasFacet(snapshotableFacet)) throw notSnapshotable(root)
  return root
}

interface Snapshot {
  readonly root: Document
  readonly option: VersioningOption
  /** Of all that is further down. */
  readonly versionIds: ReadonlyMap<DocumentId, DocumentId>
}

/** A proxy is no document of its own: what it shows may be anywhere, and is not drawn into the tree when that is brought back. */
async function versionOf(session: WriteSession, node: TreeNode, snapshot: Snapshot): Promise<DocumentId> {
  if (node.kind === 'proxy') return node.id
  const document = await readStoredForUpdate(session, node.id)
  return node.kind === 'folder' ? versionOfFolder(session, node, document, snapshot) : versionOfLeaf(session, document, snapshot)
}

async function versionOfLeaf(session: WriteSession, document: Document, { root, option }: Snapshot): Promise<DocumentId> {
  if (document.isCheckedIn && document.baseVersionId !== null) return document.baseVersionId
  await requirePermission(session, document, 'WriteProperties')
  const properties = { leafRootDocument: root }
  const offered = await offer(session, 'aboutToCreateLeafVersionEvent', document, { properties })
  const changed = changedNames(document.properties, offered.properties)
  const saved =
    changed.size === 0 ? document : await saveDocument(session, document.id, offered.properties, { automaticVersioning: false })
  return checkInAnew(session, saved, option)
}

async function versionOfFolder(
  session: WriteSession,
  node: TreeNode,
  document: Document,
  { option, versionIds }: Snapshot,
): Promise<DocumentId> {
  const parts = node.children.map(({ id }) => versionIds.get(id) ?? id)
  if (document.isCheckedIn && document.baseVersionId !== null && hasParts(session, document, parts)) return document.baseVersionId
  await requirePermission(session, document, 'WriteProperties')
  // The properties are nobody's to write but the server's, and whoever makes the version needs no more than the right to write.
  const saved = await saveContent(
    session.asSystem(),
    document.id,
    (current) => ({
      properties: { [childrenProperty]: parts, [nameProperty]: current.name },
      facets: withFacet(session.model, { ...current, facets: withFacet(session.model, current, snapshotFacet) }, 'Versionable'),
    }),
    { automaticVersioning: false },
  )
  return checkInAnew(session, saved, option)
}

/** Whether its last version names these. Where no order is kept, another order is no change. */
function hasParts({ model }: WriteSession, folder: Document, parts: readonly DocumentId[]): boolean {
  const shape = model.shapeOf(folder)
  if (!shape.hasFacet(snapshotFacet)) return false
  const inOrder = (ids: readonly DocumentId[]) => (shape.hasFacet('Orderable') ? ids : [...ids].sort())
  return sameValue(inOrder(partsOf(folder)), inOrder(parts))
}

async function checkInAnew(session: WriteSession, document: Document, option: VersioningOption): Promise<DocumentId> {
  const open = document.isCheckedIn ? await checkOut(session, document) : document
  return (await checkIn(session, open, option)).version.id
}
