import { directoriesSeenBy } from '../../../core/directories/directories-seen-by.ts'
import { groupDirectory } from '../../../core/directories/people.ts'
import type { Session } from '../../../core/session.ts'
import type { FoundEntries } from '../../../store/directories.ts'
import { foldTerm } from '../../../store/directory-terms.ts'
import type { PeopleServices } from '../people-services.ts'
import { accountSettings } from '../settings.ts'
import { readGroupDirectory } from './group-directory.ts'

/** Groups with the term in their name or label, by name. An empty term finds none, `*` all. */
export async function searchGroups(
  session: Session,
  { valuesOf }: Pick<PeopleServices, 'valuesOf'>,
  search: { readonly term: string; readonly offset: number; readonly limit: number },
): Promise<FoundEntries> {
  const { offset, limit } = search
  const term = search.term.trim()
  if (term === '') return { entries: [], total: 0 }
  const { searchFields: fields, substringMatch: place } = readGroupDirectory(session)
  const { usermanagerSearchEscapeCompat: hasWildcards } = valuesOf(accountSettings)
  const pattern = { text: foldTerm(term), place, hasWildcards }
  return directoriesSeenBy(session).search({
    directory: groupDirectory,
    ...(term !== '*' && { matching: { fields, pattern } }),
    order: [{ field: 'groupname', isAscending: true }],
    offset,
    limit,
  })
}
