import type { IsoDate } from '../base/iso-date.ts'
import { everything, type PermissionTable } from './permission.ts'
import { everyone, type Principal } from './principal.ts'

/** One entry: grants or denies a permission to a user, a group or Everyone, for a time or for good. */
export interface Ace {
  readonly username: string
  readonly permission: string
  readonly granted: boolean
  readonly creator: string | null
  readonly begin: IsoDate | null
  readonly end: IsoDate | null
}

export interface Acl {
  readonly name: string
  readonly aces: readonly Ace[]
}

export type AceStatus = 'pending' | 'effective' | 'archived'

export const localAclName = 'local'
export const inheritedAclName = 'inherited'

export function grant(username: string, permission: string, options: Partial<Ace> = {}): Ace {
  return { username, permission, granted: true, creator: null, begin: null, end: null, ...options }
}

export function deny(username: string, permission: string, options: Partial<Ace> = {}): Ace {
  return grant(username, permission, { ...options, granted: false })
}

/** `username:permission:granted:creator:beginMs:endMs`, empty parts for nulls. */
export function aceId(ace: Ace): string {
  const milliseconds = (date: IsoDate | null) => (date === null ? '' : String(Date.parse(date)))
  return [ace.username, ace.permission, ace.granted, ace.creator ?? '', milliseconds(ace.begin), milliseconds(ace.end)].join(':')
}

export function aceStatus(ace: Ace, now: IsoDate): AceStatus {
  if (ace.end !== null && now > ace.end) return 'archived'
  if (ace.begin !== null && now < ace.begin) return 'pending'
  return 'effective'
}

/** A document's own ACLs in evaluation order: the others as they were added, then `local`. */
export function inEvaluationOrder(acls: readonly Acl[]): readonly Acl[] {
  const own = acls.filter((acl) => acl.name !== inheritedAclName && acl.aces.length > 0)
  return [...own.filter((acl) => acl.name !== localAclName), ...own.filter((acl) => acl.name === localAclName)]
}

/**
 * All entries that decide about a document, in order: its own, then its parent's effective ones. Nothing is inherited
 * past an entry that denies everyone everything for good; a dated one stays in the list and decides by itself while it lasts.
 */
export function effectiveAces(ownAcls: readonly Acl[], inherited: readonly Ace[]): readonly Ace[] {
  const own = inEvaluationOrder(ownAcls).flatMap((acl) => acl.aces)
  if (own.length === 0) return inherited
  return own.some(isLastingBlock) ? own : [...own, ...inherited]
}

export function isBlock(ace: Ace): boolean {
  return !ace.granted && ace.username === everyone && ace.permission === everything
}

function isLastingBlock(ace: Ace): boolean {
  return isBlock(ace) && ace.begin === null && ace.end === null
}

/** The first effective entry that concerns the principal and the permission decides; without one the answer is no. */
export function isGrantedBy(
  aces: readonly Ace[],
  principal: Principal,
  permission: string,
  table: PermissionTable,
  now: IsoDate,
): boolean {
  const granting = table.grantedBy(permission)
  for (const ace of aces) {
    if (!principal.names.has(ace.username) || !granting.has(ace.permission)) continue
    if (aceStatus(ace, now) === 'effective') return ace.granted
  }
  return false
}
