import type { Document } from '../../../model/document.ts'
import { type Ace, effectiveAces, isGrantedBy, lastingAcls } from '../../../model/rights/acl.ts'
import { decideByPolicies, hasPermission } from '../../permissions.ts'
import type { Session } from '../../session.ts'
import { ancestorPaths } from '../ancestors.ts'

/**
 * Whether the caller has the permission for good: not only while a task lasts, by the rights that come and go with it. What would
 * outlast the task is asked for with this.
 */
export async function hasLastingPermission(session: Session, document: Document, permission: string): Promise<boolean> {
  const { principal, model, now } = session
  if (!(await hasPermission(session, document, permission))) return false
  if (principal.isAdministrator) return true
  const decision = decideByPolicies(session, document, permission)
  if (typeof decision === 'object') return hasLastingPermission(session, document, decision.instead)
  if (decision !== undefined) return decision === 'grant'
  return isGrantedBy(await lastingAces(session, document), principal, permission, model.permissions, now)
}

/** All entries that decide about the document but those of tasks: its own, and of everything above it. */
async function lastingAces({ reader }: Session, document: Document): Promise<readonly Ace[]> {
  const { isVersion, seriesId } = document
  // A version has the rights of its live document, and none when that is gone.
  const placed = isVersion ? seriesId !== null && (await reader.documents.find(seriesId)) : document
  if (!placed) return []
  const isBelowRoot = placed.path !== null && placed.path !== '/'
  const above = isBelowRoot ? await reader.documents.findAllByPath(['/', ...ancestorPaths(placed.path ?? '')]) : []
  return [...above, placed].reduce<readonly Ace[]>((inherited, { acls }) => effectiveAces(lastingAcls(acls), inherited), [])
}
