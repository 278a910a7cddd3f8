import type { IsoDate } from '../../../base/iso-date.ts'
import type { Document } from '../../../model/document.ts'
import { type Ace, effectiveAces, grantedUntil, lastingAcls } from '../../../model/rights/acl.ts'
import { decideByPolicies, hasPermission } from '../../permissions.ts'
import type { Session } from '../../session.ts'
import { ancestorPaths } from '../ancestors.ts'

/** A permission that somebody has by entries that stay. */
export interface LastingPermission {
  /** When it ends by itself; null: never. */
  readonly until: IsoDate | null
}

/**
 * The permission as the caller has it beside all tasks: not by the rights that come and go with these. What would outlast a task is asked
 * for with this.
 */
export async function findLastingPermission(
  session: Session,
  document: Document,
  permission: string,
): Promise<LastingPermission | undefined> {
  const { principal, model, now } = session
  if (!(await hasPermission(session, document, permission))) return undefined
  if (principal.isAdministrator) return forGood
  const decision = decideByPolicies(session, document, permission)
  if (typeof decision === 'object') return findLastingPermission(session, document, decision.instead)
  if (decision !== undefined) return decision === 'grant' ? forGood : undefined
  const until = grantedUntil(await lastingAces(session, document), principal, permission, model.permissions, now)
  return until === undefined ? undefined : { until }
}

const forGood: LastingPermission = { until: null }

export async function hasLastingPermission(session: Session, document: Document, permission: string): Promise<boolean> {
  return (await findLastingPermission(session, document, permission)) !== undefined
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
