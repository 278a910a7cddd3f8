import { createDocument, type NewDocument } from '../../core/documents/create-document.ts'
import { documentNotFound } from '../../core/documents/read-document.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { SortKey } from '../../store/documents.ts'

/**
 * One document that the server keeps for a user in the personal workspace. It is known by its type, which is reserved: whoever else may
 * write in the workspace can take a name, but can bring no document of the type there.
 */
export interface KeptDocument {
  readonly type: string
  /** Where to look first; the document has another one when that was taken. */
  readonly name?: string
  /** Whether one of the type is that of the user; absent, all are. */
  isOf?(document: Document): boolean
}

/** By id alone: ids grow with time. */
const inOrderOfCreation: readonly SortKey[] = []
/** Administrators may have put others there; in practice no more than a few. */
const few = 10

/** The first there was; undefined when there is none outside the trash. */
export async function findKept({ reader }: Session, workspace: Document, kept: KeptDocument): Promise<Document | undefined> {
  const isKept = (document: Document) =>
    document.type === kept.type && !document.isProxy && !document.isTrashed && (kept.isOf?.(document) ?? true)
  const named = kept.name === undefined ? undefined : await reader.documents.findChild(workspace.id, kept.name)
  if (named !== undefined && isKept(named)) return named
  const onlyTypes = { types: [kept.type], facet: '' }
  const filter = { parentId: workspace.id, visibleOnly: { hiddenTypes: [] }, onlyTypes }
  return (await reader.documents.listChildren(filter, inOrderOfCreation, few, 0)).find(isKept)
}

/** The same, made when it is first asked for. */
export async function getOrCreateKept(
  system: WriteSession,
  workspace: Document,
  kept: KeptDocument,
  make: () => Omit<NewDocument, 'parent' | 'type'>,
): Promise<Document> {
  const found = await findKept(system, workspace, kept)
  if (found !== undefined) return found
  // Only one transaction at a time finds it missing: one that waited for the lock looks again and sees what the other made.
  const locked = await system.tx.documents.findForUpdate(workspace.id)
  if (locked === undefined) throw documentNotFound({ reference: workspace.id })
  return (await findKept(system, locked, kept)) ?? createDocument(system, { ...make(), parent: locked, type: kept.type })
}
