import { defineProblem } from '../../../base/problem.ts'
import { groupDirectory, groupMembers } from '../../../core/directories/people.ts'
import { findComputedGroup } from '../../../core/principals/computed-groups.ts'
import type { PrincipalRules } from '../../../core/principals/principal-rules.ts'
import type { DirectoryReader, DirectoryWriter } from '../../../store/directories.ts'

export const unknownGroup = defineProblem(
  'unknownGroup',
  'forbidden',
  (of: { name: string }) => `group does not exist: ${of.name.length > 400 ? `${of.name.slice(0, 100)}…` : of.name}`,
)

/** @throws unknownGroup naming the first. */
export async function requireGroups(
  directories: DirectoryReader,
  rules: PrincipalRules,
  names: readonly string[],
): Promise<void> {
  const stored = await listStored(directories, names)
  const missing = names.find((name) => !stored.has(name) && findComputedGroup(rules, name) === undefined)
  if (missing !== undefined) throw unknownGroup({ name: missing })
}

/** Lists the user in these groups and in no others. A computed group lists no users. */
export async function replaceGroups(directories: DirectoryWriter, user: string, names: readonly string[]): Promise<void> {
  const stored = await listStored(directories, names)
  const before = new Set(await directories.listSources(groupMembers, user))
  for (const group of before) if (!stored.has(group)) await directories.removeTarget(groupMembers, group, user)
  for (const group of stored) if (!before.has(group)) await directories.addTarget(groupMembers, group, user)
}

async function listStored(directories: DirectoryReader, names: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await directories.findAll(groupDirectory, names)).map(({ id }) => id))
}
