import { groupDirectory, groupMembers, subGroups } from '../../core/directories/people.ts'
import type { EntityWriter } from '../../rest/rendering.ts'

/** A group by name. Its members and neighbours are shown only to who asks: there may be many. */
export const groupEntity: EntityWriter = {
  entityType: 'group',
  async write(context, name) {
    const { directories } = context.services.directories.store.reader
    const entry = typeof name === 'string' ? await directories.find(groupDirectory, name) : undefined
    if (entry === undefined) return undefined
    const { groupname = entry.id, grouplabel = null, description = null, tenantId = null } = entry.values
    const fetched = context.fetch('group')
    return {
      'entity-type': 'group',
      groupname,
      grouplabel,
      id: entry.id,
      properties: { groupname, grouplabel, description, tenantId },
      ...(fetched.includes('memberUsers') && { memberUsers: await directories.listTargets(groupMembers, entry.id) }),
      ...(fetched.includes('memberGroups') && { memberGroups: await directories.listTargets(subGroups, entry.id) }),
      ...(fetched.includes('parentGroups') && { parentGroups: await directories.listSources(subGroups, entry.id) }),
    }
  },
}
