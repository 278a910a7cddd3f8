import { Type } from 'typebox'
import { groupDirectory, groupMembers, subGroups } from '../../../core/directories/people.ts'
import type { Session } from '../../../core/session.ts'
import type { Adapter, AdapterCall } from '../../../rest/adapter.ts'
import type { EntityList } from '../../../rest/resource.ts'
import type { DirectoryEntry } from '../../../store/directories.ts'
import { listPeople, peopleParameters } from '../people-page.ts'
import { directoriesSeenBy } from './find-group.ts'
import { groupNameOf } from './group-resource.ts'

const query = Type.Object({
  q: Type.Optional(Type.String({ description: 'The beginning of names, in any case; `*` or nothing for all' })),
  ...peopleParameters,
})

/** Names that nobody has any more are counted, and shown by nothing. */
export const groupUsersAdapter: Adapter = {
  name: 'users',
  summary: 'Users that are listed in the group, in its order',
  accepts: ['group'],
  query,
  resolve: (call) => listMembers(call, groupMembers, 'user', async (ids) => ids),
}

export const groupGroupsAdapter: Adapter = {
  name: 'groups',
  summary: 'Groups that are listed in the group, in its order',
  accepts: ['group'],
  query,
  resolve: (call) => listMembers(call, subGroups, 'group', (ids) => findEntries(call.session, ids)),
}

function listMembers(
  { session, exchange, resource }: AdapterCall,
  reference: string,
  kind: 'user' | 'group',
  valuesOf: (ids: readonly string[]) => Promise<readonly unknown[]>,
): Promise<EntityList> {
  const { query } = exchange.request
  const prefix = prefixIn(query)
  return listPeople(session, query, kind, async (part) => {
    const { ids, total } = await directoriesSeenBy(session).listTargetPage(reference, groupNameOf(resource), { prefix, ...part })
    return { values: await valuesOf(ids), total }
  })
}

/** All at once; of a group that is in no directory the name remains, which may be that of a computed one. */
async function findEntries(session: Session, names: readonly string[]): Promise<readonly (DirectoryEntry | string)[]> {
  const entries = await directoriesSeenBy(session).findAll(groupDirectory, names)
  const byName = new Map(entries.map((entry) => [entry.id, entry]))
  return names.map((name) => byName.get(name) ?? name)
}

function prefixIn(query: URLSearchParams): string {
  const prefix = query.get('q')?.trim() ?? ''
  return prefix === '*' ? '' : prefix
}
