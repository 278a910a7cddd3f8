import { defineProblem } from '../../../base/problem.ts'
import { groupDirectory, groupMembers, subGroups } from '../../../core/directories/people.ts'
import type { DirectoryWriter } from '../../../store/directories.ts'
import type { GroupChange } from './group-change.ts'
import { requireNoNewCircle } from './group-circle.ts'

export const parentGroupNotFound = defineProblem(
  'parentGroupNotFound',
  'invalid',
  (of: { name: string }) => `group does not exist: ${of.name}`,
)

type GroupLinks = Pick<GroupChange, 'memberUsers' | 'memberGroups' | 'parentGroups'>

/** Gives a group the members and parents it is to have. @throws parentGroupNotFound, groupInItself */
export async function linkGroup(directories: DirectoryWriter, name: string, links: GroupLinks): Promise<void> {
  const { memberUsers, memberGroups, parentGroups } = links
  if (memberUsers !== undefined) await directories.replaceTargets(groupMembers, name, memberUsers)
  const members = memberGroups === undefined ? [] : await replaceMemberGroups(directories, name, memberGroups)
  const parents = parentGroups === undefined ? [] : await replaceParents(directories, name, parentGroups)
  await requireNoNewCircle(directories, [
    ...members.map((member) => ({ group: name, member })),
    ...parents.map((group) => ({ group, member: name })),
  ])
}

/** Gives those that were not there before. */
async function replaceMemberGroups(
  directories: DirectoryWriter,
  name: string,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const before = new Set(await directories.listTargets(subGroups, name))
  await directories.replaceTargets(subGroups, name, wanted)
  return wanted.filter((member) => !before.has(member))
}

/** Each parent keeps its other groups, and their order. Gives the parents that were none before. */
async function replaceParents(directories: DirectoryWriter, name: string, wanted: readonly string[]): Promise<readonly string[]> {
  const before = new Set(await directories.listSources(subGroups, name))
  const added = wanted.filter((parent) => !before.has(parent))
  await requireGroups(directories, added)
  for (const parent of before.difference(new Set(wanted))) await directories.removeTarget(subGroups, parent, name)
  for (const parent of added) await directories.addTarget(subGroups, parent, name)
  return added
}

/** A member may be unknown, for others may create it; a parent that is unknown has nothing that could be written. */
async function requireGroups(directories: DirectoryWriter, names: readonly string[]): Promise<void> {
  const known = new Set((await directories.findAll(groupDirectory, names)).map(({ id }) => id))
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) throw parentGroupNotFound({ name: unknown })
}
