import { compareText } from '../../../nxql/code-point-order.ts'

/** Why somebody belongs to a group. */
export interface ExplainedMembership {
  readonly group: string
  /** Listed in the group, given by the configuration, or in it through other groups. */
  readonly reason: 'listed' | 'configured' | 'nested'
  /** From the group that the user is in by itself to the one that is in this group; empty where it is in it by itself. */
  readonly through: readonly string[]
}

export interface MembershipFacts {
  readonly listed: readonly string[]
  readonly configured: readonly string[]
  /** Which groups a group is in. */
  readonly parents: ReadonlyMap<string, readonly string[]>
}

/** Every group once, by the shortest way to it: those that somebody is in by itself first. A circle ends where it began. */
export function explainMemberships({ listed, configured, parents }: MembershipFacts): readonly ExplainedMembership[] {
  const found = new Map<string, ExplainedMembership>()
  for (const group of inOrder(listed)) found.set(group, { group, reason: 'listed', through: [] })
  for (const group of inOrder(configured)) if (!found.has(group)) found.set(group, { group, reason: 'configured', through: [] })
  // A map that grows while it is gone through gives what was added, too: those that are further away come later.
  for (const { group, through } of found.values()) {
    for (const parent of inOrder(parents.get(group) ?? [])) {
      if (!found.has(parent)) found.set(parent, { group: parent, reason: 'nested', through: [...through, group] })
    }
  }
  return [...found.values()]
}

function inOrder(groups: readonly string[]): readonly string[] {
  return [...groups].sort(compareText)
}
