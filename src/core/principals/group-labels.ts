import type { DirectoryReader } from '../../store/directories.ts'
import { groupDirectory } from '../directories/people.ts'
import { findComputedGroup } from './computed-groups.ts'
import type { PrincipalRules } from './principal-rules.ts'

/** Of the names those that are groups, stored or computed, with their labels; a group without one goes by its name. */
export async function labelGroups(
  directories: DirectoryReader,
  rules: Pick<PrincipalRules, 'groupComputers'>,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>()
  if (names.length === 0) return labels
  for (const { id, values } of await directories.findAll(groupDirectory, names)) {
    const label = values['grouplabel']
    labels.set(id, typeof label === 'string' && label !== '' ? label : id)
  }
  for (const name of names) {
    const computed = labels.has(name) ? undefined : findComputedGroup(rules, name)
    if (computed !== undefined) labels.set(name, computed.label)
  }
  return labels
}
