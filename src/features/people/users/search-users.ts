import { directoriesSeenBy } from '../../../core/directories/directories-seen-by.ts'
import { userDirectory } from '../../../core/directories/people.ts'
import type { PrincipalRules } from '../../../core/principals/principal-rules.ts'
import type { Session } from '../../../core/session.ts'
import type { DirectoryReader, EntrySearch, TermPattern } from '../../../store/directories.ts'
import { compareTerms, foldTerm, matchesTerm } from '../../../store/directory-terms.ts'
import type { PeopleServices } from '../people-services.ts'
import { accountSettings } from '../settings.ts'
import { readUserDirectory } from './user-directory.ts'

/** Names of users, a part of those that were found; or that there are more than a search may find. */
export type FoundUsers =
  | { readonly kind: 'found'; readonly names: readonly string[]; readonly total: number }
  | { readonly kind: 'tooMany' }

interface WantedNames {
  readonly term: string
  readonly offset: number
  readonly limit: number
  /** Most that may be found, 0 any number; absent: as the server is set. */
  readonly maxFound?: number
}

type AnonymousUser = NonNullable<PrincipalRules['anonymousUser']>

/** Users with the term in their user, first or last name, by user name. An empty term finds none, `*` all. */
export async function searchUsers(
  session: Session,
  { valuesOf, principalRules }: Pick<PeopleServices, 'valuesOf' | 'principalRules'>,
  wanted: WantedNames,
): Promise<FoundUsers> {
  const term = wanted.term.trim()
  if (term === '') return { kind: 'found', names: [], total: 0 }
  const settings = valuesOf(accountSettings)
  const { searchFields: fields, substringMatch: place } = readUserDirectory(session)
  const pattern = { text: foldTerm(term), place, hasWildcards: settings.usermanagerSearchEscapeCompat }
  const matching = term === '*' ? undefined : { fields, pattern }
  const search: EntrySearch = {
    directory: userDirectory,
    ...(matching !== undefined && { matching }),
    order: [{ field: 'username', isAscending: true }],
    offset: wanted.offset,
    limit: wanted.limit,
  }
  const directories = directoriesSeenBy(session)
  const { anonymousUser } = principalRules
  const isFound = anonymousUser !== undefined && isMatch(anonymousUser, matching?.pattern)
  // Where the directory has the name too, that entry is what is found.
  const isExtra = isFound && (await directories.find(userDirectory, anonymousUser.name)) === undefined
  const extra = isExtra ? anonymousUser.name : undefined
  if (await isTooMany(directories, search, wanted.maxFound ?? settings.userSearchLimit, extra)) return { kind: 'tooMany' }
  return {
    kind: 'found',
    ...(extra === undefined ? await findPage(directories, search) : await findPageWith(directories, search, extra)),
  }
}

/** Counted before anything is put in order, so that a term that too many have costs no more than any other. */
async function isTooMany(
  directories: DirectoryReader,
  search: EntrySearch,
  limit: number,
  extra: string | undefined,
): Promise<boolean> {
  if (limit === 0) return false
  const { total } = await directories.search({ ...search, offset: 0, limit: 0, countLimit: limit })
  return total + (extra === undefined ? 0 : 1) > limit
}

async function findPage(directories: DirectoryReader, search: EntrySearch): Promise<{ names: readonly string[]; total: number }> {
  const { entries, total } = await directories.search(search)
  return { names: entries.map(({ id }) => id), total }
}

/** The same with one more who is in no directory. Whatever comes behind that one stands one place later than in the directory. */
async function findPageWith(
  directories: DirectoryReader,
  search: EntrySearch,
  extra: string,
): Promise<{ names: readonly string[]; total: number }> {
  const { offset, limit } = search
  const start = Math.max(0, offset - 1)
  const stored = await findPage(directories, { ...search, offset: start, limit: limit + offset - start })
  const place = stored.names.findIndex((name) => compareTerms(extra, name) < 0)
  const total = stored.total + 1
  if (place === 0 && start > 0) return { names: stored.names.slice(0, limit), total }
  const isBeyond = place < 0 && start + stored.names.length < stored.total
  const names = isBeyond ? stored.names : stored.names.toSpliced(place < 0 ? stored.names.length : place, 0, extra)
  return { names: names.slice(offset - start, offset - start + limit), total }
}

function isMatch({ name, properties }: AnonymousUser, pattern: TermPattern | undefined): boolean {
  const terms = [name, properties['firstName'] ?? '', properties['lastName'] ?? ''].map(foldTerm)
  return pattern === undefined || terms.some((term) => matchesTerm(pattern, term))
}
