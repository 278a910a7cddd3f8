import type { IsoDate } from '../../base/iso-date.ts'
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

/** Whether two entries say the same about the same. */
export function sameAce(left: Ace, right: Ace): boolean {
  return (
    left.username === right.username &&
    left.permission === right.permission &&
    left.granted === right.granted &&
    left.creator === right.creator &&
    left.begin === right.begin &&
    left.end === right.end
  )
}

/** Entries begin and end with a second. */
export function wholeSeconds(ace: Ace): Ace {
  const truncated = (date: IsoDate | null) => (date === null ? null : date.replace(/\.\d{3}Z$/, '.000Z'))
  return { ...ace, begin: truncated(ace.begin), end: truncated(ace.end) }
}

/** Pending before it begins, archived after it ended; it counts only between. */
export type AceStatus = 'pending' | 'effective' | 'archived'

export const localAclName = 'local'
export const inheritedAclName = 'inherited'

const passingKinds = ['routing', 'delegation'] as const

/** The list that is put on a document while a task lasts, and goes with it. */
export function passingAclName(kind: (typeof passingKinds)[number], taskId: string): string {
  return `${kind}/${taskId}`
}

/** The lists that are of the document for good. What was made of it, or of its archive, would have the others for ever. */
export function lastingAcls(acls: readonly Acl[]): readonly Acl[] {
  return acls.filter(({ name }) => !passingKinds.some((kind) => name.startsWith(passingAclName(kind, ''))))
}

export function grant(username: string, permission: string, options: Partial<Ace> = {}): Ace {
  return { username, permission, granted: true, creator: null, begin: null, end: null, ...options }
}

export function deny(username: string, permission: string, options: Partial<Ace> = {}): Ace {
  return grant(username, permission, { ...options, granted: false })
}

export function aceStatus(ace: Ace, now: IsoDate): AceStatus {
  if (ace.end !== null && now > ace.end) return 'archived'
  if (ace.begin !== null && now < ace.begin) return 'pending'
  return 'effective'
}

/**
 * All entries that decide about a document, in order: its own, whose lists are stored in the order in which they decide, then
 * its parent's effective ones. Nothing is inherited past an entry that denies everyone everything for good; a dated one stays
 * in the list and decides by itself while it lasts.
 */
export function effectiveAces(ownAcls: readonly Acl[], inherited: readonly Ace[]): readonly Ace[] {
  const own = ownAcls.flatMap((acl) => acl.aces)
  if (own.length === 0) return inherited
  return own.some(isLastingBlock) ? own : [...own, ...inherited]
}

/** What of a parent's effective entries is in force for those below: nothing behind one that denies everyone everything now. */
export function inheritedNow(inherited: readonly Ace[], own: readonly Acl[], now: IsoDate): readonly Ace[] {
  const blocksNow = (ace: Ace) => isBlock(ace) && aceStatus(ace, now) === 'effective'
  if (own.some((acl) => acl.aces.some(blocksNow))) return []
  const block = inherited.findIndex(blocksNow)
  return block < 0 ? inherited : inherited.slice(0, block + 1)
}

/** Denies everyone everything: what is behind it, and above the document, does not count. */
export function isBlock(ace: Ace): boolean {
  return !ace.granted && ace.username === everyone && ace.permission === everything
}

export function isLastingBlock(ace: Ace): boolean {
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
  return findDecidingAce(aces, principal, permission, table, now)?.granted ?? false
}

/** The entry that decides; undefined where none does. */
export function findDecidingAce(
  aces: readonly Ace[],
  principal: Principal,
  permission: string,
  table: PermissionTable,
  now: IsoDate,
): Ace | undefined {
  const granting = table.grantedBy(permission)
  for (const ace of aces) if (concerns(ace, principal, granting) && aceStatus(ace, now) === 'effective') return ace
  return undefined
}

/** @param granting the permissions that grant the one that is asked for */
export function concerns(ace: Ace, { names }: Principal, granting: ReadonlySet<string>): boolean {
  // Everything does not match RestrictedRead, but what a dated block keeps from being inherited is in the same list.
  return names.has(ace.username) && (granting.has(ace.permission) || (isBlock(ace) && !isLastingBlock(ace)))
}
