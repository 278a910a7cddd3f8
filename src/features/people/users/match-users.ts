import { directoriesSeenBy } from '../../../core/directories/directories-seen-by.ts'
import { groupMembers, userDirectory } from '../../../core/directories/people.ts'
import type { Session } from '../../../core/session.ts'
import type { DirectoryEntry, EntrySearch, Matching } from '../../../store/directories.ts'
import { compareTerms, foldTerm, matchesTerm } from '../../../store/directory-terms.ts'
import type { PeopleServices } from '../people-services.ts'
import { accountSettings } from '../settings.ts'
import { readUserDirectory } from './user-directory.ts'

/** Which users: those that match all of the patterns, in a tenant, among the members of groups. Nothing of it: all. */
export interface WantedUsers {
  readonly matching: readonly Matching[]
  readonly tenantId?: string
  /** Only users that one of these groups lists. */
  readonly groups?: readonly string[]
}

export type MatchedUsers =
  | { readonly kind: 'found'; readonly entries: readonly DirectoryEntry[] }
  /** There are more than one search may find. */
  | { readonly kind: 'tooMany' }

type Rules = Pick<PeopleServices, 'valuesOf' | 'principalRules'>

/** A text that one of the fields begins with, or holds where the directory says so, in any case. */
export function patternFor(session: Session, { valuesOf }: Rules, fields: readonly string[], text: string): Matching {
  const { substringMatch: place } = readUserDirectory(session)
  const { usermanagerSearchEscapeCompat: hasWildcards } = valuesOf(accountSettings)
  return { fields, pattern: { text: foldTerm(text), place, hasWildcards } }
}

/** Users with all that is known of them but the password, by user name. */
export async function matchUsers(session: Session, rules: Rules, wanted: WantedUsers): Promise<MatchedUsers> {
  const { userSearchLimit: limit } = rules.valuesOf(accountSettings)
  const { entries, total } = await directoriesSeenBy(session).search(searchFor(wanted, limit))
  const extra = entries.length === total ? findAnonymous(rules, wanted, entries) : undefined
  if (limit > 0 && total + (extra === undefined ? 0 : 1) > limit) return { kind: 'tooMany' }
  const all = extra === undefined ? entries : [...entries, extra].sort(byName)
  return { kind: 'found', entries: all.map(withoutPassword) }
}

function searchFor({ matching: [first, ...others], tenantId, groups }: WantedUsers, countLimit: number): EntrySearch {
  return {
    directory: userDirectory,
    ...(first !== undefined && { matching: first, alsoMatching: others }),
    ...(groups !== undefined && { referredTo: { reference: groupMembers, by: groups } }),
    ...(tenantId !== undefined && { equal: { tenantId } }),
    order: [{ field: 'username', isAscending: true }],
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
    ...(countLimit > 0 && { countLimit }),
  }
}

/** Who is in no directory, and in no tenant and no group. */
function findAnonymous(
  { principalRules: { anonymousUser } }: Rules,
  { matching, tenantId, groups }: WantedUsers,
  entries: readonly DirectoryEntry[],
): DirectoryEntry | undefined {
  if (anonymousUser === undefined || tenantId !== undefined || groups !== undefined) return undefined
  const { name: id, properties } = anonymousUser
  const values: { readonly [field: string]: string } = { ...properties, username: id }
  const isMatch = matching.every(({ fields, pattern }) =>
    fields.some((field) => matchesTerm(pattern, foldTerm(values[field] ?? ''))),
  )
  return isMatch && entries.every((entry) => entry.id !== id) ? { id, values } : undefined
}

function byName({ id: one }: DirectoryEntry, { id: other }: DirectoryEntry): number {
  return compareTerms(one, other)
}

function withoutPassword({ id, values: { password: _, ...values } }: DirectoryEntry): DirectoryEntry {
  return { id, values }
}
