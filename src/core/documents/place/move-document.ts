import { defineProblem } from '../../../base/problem.ts'
import { type Document, type DocumentId, isAtOrBelow } from '../../../model/document.ts'
import { requirePermission } from '../../permissions.ts'
import type { SaveOptions } from '../../save-options.ts'
import type { WriteSession } from '../../session.ts'
import { readFolderForInsertById } from '../folder-for-insert.ts'
import { givenName } from '../name-in-folder.ts'
import { throughProxy } from '../proxies/proxy.ts'
import { documentNotFound } from '../read-document.ts'
import { requireTypeAllowed } from '../reserved-types.ts'
import { moveTo } from './place-document.ts'

export interface MoveTarget {
  /** The folder it goes to; absent, it stays where it is. */
  readonly parentId?: DocumentId
  /** The name it gets there; absent, it keeps its own. */
  readonly name?: string
  readonly options?: SaveOptions
}

export const moveUnderItself = defineProblem(
  'moveUnderItself',
  'conflict',
  (of: { id: string; parentId: string }) => `Cannot move a node under itself: ${of.parentId} is ${of.id} or below it`,
)

export const placeIsFixed = defineProblem(
  'placeIsFixed',
  'invalid',
  (of: { id: string; reason: string }) => `Cannot move ${of.id}: ${of.reason}`,
)

/** Puts the document, with all below it, into another folder, or gives it another name where it is. */
export async function moveDocument(session: WriteSession, id: DocumentId, target: MoveTarget): Promise<Document> {
  const document = await session.tx.documents.findForUpdate(id)
  if (document === undefined) throw documentNotFound({ reference: id })
  const name = target.name === undefined ? document.name : givenName(target.name)
  const folder = await readFolderForInsertById(session, target.parentId ?? requireParentOf(document))
  requirePlaceable(document, folder)
  if (target.parentId === undefined) await requirePermission(session, folder, 'WriteProperties')
  else await requireMovable(session, document, folder)
  if (folder.id === document.parentId && name === document.name) return throughProxy(session, document)
  return throughProxy(session, await moveTo(session, document, folder, name, target.options))
}

function requireParentOf(document: Document): DocumentId {
  if (document.parentId !== null) return document.parentId
  throw placeIsFixed({ id: document.id, reason: 'it has no parent. Say into which folder it goes.' })
}

function requirePlaceable(document: Document, folder: Document): void {
  if (document.isVersion) throw placeIsFixed({ id: document.id, reason: 'it is a version. Move its live document.' })
  if (isAtOrBelow(folder, document)) throw moveUnderItself({ id: document.id, parentId: folder.id })
}

/** It is taken away from one folder and added to another, be that the same one: whoever may not is not let to name it anew either. */
async function requireMovable(session: WriteSession, document: Document, folder: Document): Promise<void> {
  await requirePermission(session, folder, 'AddChildren')
  const parent = document.parentId === null ? undefined : await session.tx.documents.find(document.parentId)
  if (parent !== undefined) await requirePermission(session, parent, 'RemoveChildren')
  await requirePermission(session, document, 'Remove')
  if (folder.id !== document.parentId) requireTypeAllowed(session, document.type)
}
