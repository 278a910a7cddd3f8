import type { DirectoryReader } from '../../store/directories.ts'
import { groupMembers, subGroups } from '../directories/people.ts'

/** The groups and all that are in them, however deep. A circle ends where it began. */
export async function withGroupsBelow(directories: DirectoryReader, groups: readonly string[]): Promise<readonly string[]> {
  const found = new Set(groups)
  // A set that grows while it is gone through gives what was added, too.
  for (const group of found) for (const below of await directories.listTargets(subGroups, group)) found.add(below)
  return [...found]
}

/** Users that the groups list, or groups in them. */
export async function listAllMembers(directories: DirectoryReader, groups: readonly string[]): Promise<readonly string[]> {
  const members = new Set<string>()
  for (const group of await withGroupsBelow(directories, groups)) {
    for (const user of await directories.listTargets(groupMembers, group)) members.add(user)
  }
  return [...members]
}
