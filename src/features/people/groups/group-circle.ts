import { defineProblem } from '../../../base/problem.ts'
import { subGroups } from '../../../core/directories/people.ts'
import type { DirectoryReader } from '../../../store/directories.ts'

export const groupInItself = defineProblem(
  'groupInItself',
  'invalid',
  (of: { circle: readonly string[] }) =>
    `A group cannot be a member of itself, also not through others: ${of.circle.join(' > ')}. Leave out one of these memberships.`,
)

/** A group and one that was made a member of it. */
export interface NewMembership {
  readonly group: string
  readonly member: string
}

/**
 * Looks at memberships that are stored already, but not yet for good. Circles that were there before are not reported.
 * @throws groupInItself
 */
export async function requireNoNewCircle(directories: DirectoryReader, added: readonly NewMembership[]): Promise<void> {
  const above = new Map<string, ReadonlySet<string>>()
  for (const { group, member } of added) {
    const known = above.get(group) ?? new Set([group, ...(await directories.listAllSources(subGroups, subGroups, [group]))])
    above.set(group, known)
    if (known.has(member)) throw groupInItself({ circle: [...(await pathDown(directories, member, group)), member] })
  }
}

/** From a group down to one in it, by the fewest steps. */
async function pathDown(directories: DirectoryReader, from: string, to: string): Promise<readonly string[]> {
  const paths = new Map([[to, [to]]])
  for (const [group, path] of paths) {
    if (group === from) return path
    for (const parent of await directories.listSources(subGroups, group)) {
      if (!paths.has(parent)) paths.set(parent, [parent, ...path])
    }
  }
  return [from, to]
}
