import { newId } from '../../src/base/ids.ts'
import { type Document, pristine } from '../../src/model/document.ts'
import { joinPath } from '../../src/model/path-segment.ts'
import type { Ace } from '../../src/model/rights/acl.ts'
import type { Store } from '../../src/store/store.ts'

/** A row as the store keeps it: the root of a repository, unless told otherwise. */
export function aStoredDocument(given: Partial<Document> = {}): Document {
  return {
    ...pristine,
    repository: 'default',
    id: newId(),
    parentId: null,
    name: '',
    path: '/',
    type: 'Folder',
    state: 'project',
    acpId: 1,
    properties: {},
    ...given,
  }
}

export function aStoredChild(parent: Document, name: string, given: Partial<Document> = {}): Document {
  const path = parent.path === null ? null : joinPath(parent.path, name)
  return aStoredDocument({ parentId: parent.id, name, path, acpId: parent.acpId, ...given })
}

export function aStoredVersion(live: Document, given: Partial<Document> = {}): Document {
  const place = { id: newId(), parentId: null, path: null, name: live.name }
  return { ...live, ...place, isVersion: true, isCheckedIn: true, seriesId: live.id, ...given }
}

export function aStoredProxy(parent: Document, name: string, target: Document, given: Partial<Document> = {}): Document {
  const seriesId = target.isVersion ? target.seriesId : target.id
  return aStoredChild(parent, name, { isProxy: true, targetId: target.id, seriesId, ...given })
}

/** Stores a root with these entries as its effective list. */
export async function insertRoot(store: Store, aces: readonly Ace[] = []): Promise<Document> {
  return store.transact(async (tx) => {
    const root = aStoredDocument({ type: 'Root', acpId: await tx.acps.intern(aces) })
    await tx.documents.insert(root)
    return root
  })
}

export async function insertAll(store: Store, ...documents: readonly Document[]): Promise<void> {
  await store.transact((tx) => tx.documents.insertMany(documents))
}
