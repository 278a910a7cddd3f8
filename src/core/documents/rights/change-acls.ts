import { defineProblem } from '../../../base/problem.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { type Acl, inheritedAclName, localAclName } from '../../../model/rights/acl.ts'
import { requireAllowedAces, sameAcls, tidyAcls } from '../../../model/rights/acl-change.ts'
import { announce, offer } from '../../event.ts'
import { requirePermission } from '../../permissions.ts'
import type { DocumentEvent, WriteSession } from '../../session.ts'
import { throughProxy } from '../proxies/proxy.ts'
import { documentNotFound } from '../read-document.ts'
import type { PlacedAceNote } from './ace-note.ts'

export const versionHasNoRights = defineProblem(
  'versionHasNoRights',
  'invalid',
  (of: { id: string; live: string | null }) =>
    `${of.id} is a version and has the rights of its live document. Change them on ${of.live ?? 'that'}.`,
)

export const inheritedAclComputed = defineProblem(
  'inheritedAclComputed',
  'invalid',
  () => 'What a document inherits cannot be changed on it. Name another ACL, or change the document it comes from.',
)

/** What becomes of a document's own ACLs. */
export interface AclChange {
  readonly acls: readonly Acl[]
  /** The notes beside entries that the change adds. */
  readonly notes?: readonly PlacedAceNote[]
  /** Told with the event. A change that says something here is one even where the ACLs stay the same. */
  readonly told?: DocumentEvent['properties']
}

/**
 * Changes the document's own ACLs, and with them at once what everything below it inherits. A plan without a change does
 * nothing and announces nothing. A proxy has rights of its own, and is given as it is seen.
 * @throws privilegeMissing without WriteSecurity.
 */
export async function changeAcls(
  session: WriteSession,
  id: DocumentId,
  plan: (document: Document) => AclChange | undefined | Promise<AclChange | undefined>,
): Promise<Document> {
  const document = await readForAclUpdate(session, id)
  const change = await plan(document)
  return throughProxy(session, change === undefined ? document : await carryOut(session, document, change))
}

async function carryOut(session: WriteSession, document: Document, change: AclChange): Promise<Document> {
  const { rules } = session.repository
  const acls = tidyAcls(change.acls, rules)
  if (change.told === undefined && sameAcls(document.acls, acls)) return document
  requireAllowedAces(document.acls, acls, rules)
  return storeAcls(session, document, { ...change, acls })
}

async function readForAclUpdate(session: WriteSession, id: DocumentId): Promise<Document> {
  const document = await session.tx.documents.findForUpdate(id)
  if (document === undefined) throw documentNotFound({ reference: id })
  await requirePermission(session, document, 'WriteSecurity')
  if (document.isVersion) throw versionHasNoRights({ id, live: document.seriesId })
  return document
}

async function storeAcls(session: WriteSession, document: Document, { acls, notes, told }: AclChange): Promise<Document> {
  const properties = { oldACP: document.acls, newACP: acls, ...told, ...(notes !== undefined && { aceNotes: notes }) }
  await offer(session, 'beforeDocumentSecurityModification', document, { properties })
  await session.tx.acps.replaceAcls(document, acls)
  const changed = (await session.tx.documents.find(document.id)) ?? document
  await announce(session, 'documentSecurityUpdated', changed, { properties })
  return changed
}

/** The name of the ACL that a caller means, which is the local one when nothing is named. @throws inheritedAclComputed */
export function ownAclName(name = localAclName): string {
  requireOwnAcl(name)
  return name.trim() === '' ? localAclName : name
}

/** @throws inheritedAclComputed */
export function requireOwnAcl(name: string): void {
  if (name === inheritedAclName) throw inheritedAclComputed({})
}
