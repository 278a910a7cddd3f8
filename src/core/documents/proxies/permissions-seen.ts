import type { Document } from '../../../model/document.ts'
import { listPermissions } from '../../permissions.ts'
import type { Session } from '../../session.ts'
import { findTarget } from './proxy.ts'

/** Beside reading, what is asked for where a proxy is and nowhere else. All other rights are asked for at what it shows, too. */
const ofPlace = new Set(['AddChildren', 'RemoveChildren', 'Remove', 'ReadRemove', 'WriteSecurity'])

/** Every permission there is that the caller has on the document as it is seen: of a proxy what it takes to do something there. */
export async function listPermissionsSeen(session: Session, document: Document): Promise<readonly string[]> {
  const target = await findTarget(session, document)
  if (!document.isProxy || target === undefined) return listPermissions(session, document)
  // A lock, a hold and retention are of what the proxy shows, and keep nobody from taking the proxy away.
  const atPlace = await listPermissions(session, { ...document, lock: null, hasLegalHold: false, retainUntil: null })
  const atTarget = new Set(await listPermissions(session, target))
  const { grantedBy } = session.model.permissions
  return atPlace.filter((name) => atTarget.has(name) || ofPlace.has(name) || grantedBy(name).has('Read'))
}
