import type { GroupComputer, PrincipalRules } from './principal-rules.ts'

type ComputedGroup = GroupComputer['groups'][number]

/** The groups that are computed for a user now; a computer that minds the hour may give others next time. */
export function computeGroups({ groupComputers }: Pick<PrincipalRules, 'groupComputers'>, user: string): readonly string[] {
  return groupComputers.flatMap((computer) => computer.groupsOf(user))
}

/** A group that is in no directory, because users are only ever computed into it. */
export function findComputedGroup(
  { groupComputers }: Pick<PrincipalRules, 'groupComputers'>,
  name: string,
): ComputedGroup | undefined {
  for (const { groups } of groupComputers) {
    const found = groups.find((group) => group.name === name)
    if (found !== undefined) return found
  }
  return undefined
}
