import { defineProblem } from '../../../base/problem.ts'
import { type Document, type DocumentId, isAtOrBelow } from '../../../model/document.ts'
import { plainNameOf } from '../../../model/trashed-name.ts'
import { announce, offer } from '../../event.ts'
import { requirePermission } from '../../permissions.ts'
import type { SaveOptions } from '../../save-options.ts'
import type { WriteSession } from '../../session.ts'
import { readFolderForInsertById } from '../folder-for-insert.ts'
import { freeCopyName } from '../name-in-folder.ts'
import { requireProxyAllowed } from '../proxies/create-proxy.ts'
import { throughProxy } from '../proxies/proxy.ts'
import { documentNotFound } from '../read-document.ts'
import { requireTypeAllowed } from '../reserved-types.ts'
import { copySubtree } from './copy-subtree.ts'
import { aboutDestination, findDestination, nameAfterOffer } from './destination.ts'

export interface CopyTarget {
  readonly parentId: DocumentId
  /** Absent: that of the source. */
  readonly name?: string
  /** True: the copies start in the first state of their lifecycle, not in that of the source. */
  readonly resetLifeCycle?: boolean
  /** True: the caller is the creator of the copy, and its dates are those of now. */
  readonly resetCreator?: boolean
  readonly options?: SaveOptions
}

export const copyUnderItself = defineProblem(
  'copyUnderItself',
  'conflict',
  (of: { id: string; parentId: string }) => `Cannot copy a node under itself: ${of.parentId} is ${of.id} or below it`,
)

/** Copies the document and all below it into a folder. A version becomes a live document, a proxy another proxy. */
export async function copyDocument(session: WriteSession, id: DocumentId, target: CopyTarget): Promise<Document> {
  const { resetLifeCycle = false, resetCreator = false, options = {} } = target
  const source = await readSourceForShare(session, id)
  const folder = await readFolderForInsertById(session, target.parentId)
  await requirePermission(session, source, 'Read')
  if (source.isProxy) await requireProxyAllowed(session, source)
  await requirePermission(session, folder, 'AddChildren')
  if (isAtOrBelow(folder, source)) throw copyUnderItself({ id, parentId: folder.id })
  const destination = await findDestination(session, folder, target.name ?? plainNameOf(source), options, freeCopyName)
  const details = (other: DocumentId, given = destination.name) => ({
    options,
    comment: `${session.repository.name}:${other}`,
    properties: { sourceRef: source.id, ...aboutDestination(destination, given), resetLifeCycle, resetCreator },
  })
  const offered = await offer(session, 'aboutToCopy', { ...source, name: destination.name }, details(source.id))
  requireTypeAllowed(session, source.type)
  const copy = await copySubtree(session, source, folder, { ...nameAfterOffer(destination, offered), resetLifeCycle })
  await announce(session, 'documentCreatedByCopy', copy, details(source.id, copy.name))
  await announce(session, 'documentDuplicated', source, details(copy.id, copy.name))
  // A listener may have written to the copy.
  return throughProxy(session, (await session.tx.documents.find(copy.id)) ?? copy)
}

/** Keeps the source where it is while what is below it is read. */
async function readSourceForShare(session: WriteSession, id: DocumentId): Promise<Document> {
  const found = await session.tx.documents.find(id)
  const source = found && (await session.tx.documents.findForShare(found))
  if (source === undefined) throw documentNotFound({ reference: id })
  return source
}
