import type { IsoDate } from '../../../base/iso-date.ts'
import type { Document } from '../../../model/document.ts'
import { type Ace, effectiveAces, isGrantedBy, lastingAcls } from '../../../model/rights/acl.ts'
import { grantedUntil } from '../../../model/rights/granted-until.ts'
import { decideByPolicies, hasPermission } from '../../permissions.ts'
import type { Session } from '../../session.ts'
import { ancestorPaths } from '../ancestors.ts'

/** A permission that somebody has by entries that stay. */
export interface LastingPermission {
  /** When it ends by itself; null: never. */
  readonly until: IsoDate | null
}

/**
 * The permission as the caller has it beside all tasks, with all that it includes: not by the rights that come and go with these. What is
 * given on to others is asked for with this.
 */
export async function findLastingPermission(
  session: Session,
  document: Document,
  permission: string,
): Promise<LastingPermission | undefined> {
  const decision = await decideBesideTasks(session, document, permission)
  if (typeof decision === 'boolean') return decision ? { until: null } : undefined
  const { principal, model, now } = session
  const until = grantedUntil(decision.aces, principal, decision.permission, model.permissions, now)
  return until === undefined ? undefined : { until }
}

/** Whether the caller has the permission beside all tasks. What would outlast a task is asked for with this. */
export async function hasLastingPermission(session: Session, document: Document, permission: string): Promise<boolean> {
  const decision = await decideBesideTasks(session, document, permission)
  if (typeof decision === 'boolean') return decision
  const { principal, model, now } = session
  return isGrantedBy(decision.aces, principal, decision.permission, model.permissions, now)
}

/** Entries that decide about a permission. */
interface DecidingAces {
  readonly aces: readonly Ace[]
  readonly permission: string
}

async function decideBesideTasks(session: Session, document: Document, permission: string): Promise<boolean | DecidingAces> {
  if (!(await hasPermission(session, document, permission))) return false
  if (session.principal.isAdministrator) return true
  const decision = decideByPolicies(session, document, permission)
  if (typeof decision === 'object') return decideBesideTasks(session, document, decision.instead)
  return decision === undefined ? { aces: await lastingAces(session, document), permission } : decision === 'grant'
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
