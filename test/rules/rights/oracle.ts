import type { Ace, Acl } from '../../../src/model/rights/acl.ts'

// What the contract says about rights (core-model 11), word by word and without any of the server's own code: no interned
// lists, no cache, no tables. Slow and plain, so that it can be wrong only where the contract is.

/** Who is in which group, and which group is in which. */
export interface People {
  readonly members: ReadonlyMap<string, readonly string[]>
  readonly subGroups: ReadonlyMap<string, readonly string[]>
}

/** What each permission contains directly (11.1). */
const contained: { readonly [permission: string]: readonly string[] } = {
  ReadProperties: ['Browse'],
  Read: ['Browse', 'ReadVersion', 'ReadProperties', 'ReadChildren', 'ReadLifeCycle', 'ReadSecurity', 'ReviewParticipant'],
  WriteVersion: ['WriteProperties'],
  Version: ['ReadVersion', 'WriteVersion'],
  Remove: ['RemoveChildren', 'WriteLifeCycle'],
  ReadRemove: ['Read', 'Remove'],
  Write: ['AddChildren', 'WriteProperties', 'Remove', 'ManageWorkflows', 'WriteLifeCycle', 'WriteVersion'],
  ReadWrite: ['Read', 'Write'],
  Comment: ['WriteLifeCycle'],
  ReadCanCollect: ['Read', 'WriteProperties'],
  DataVisualization: ['Read'],
}

function matches(given: string, asked: string): boolean {
  if (given === 'Everything') return asked !== 'RestrictedRead'
  return given === asked || (contained[given] ?? []).some((part) => matches(part, asked))
}

/** The user, its groups, the groups these are in, and so on, and Everyone. */
export function namesOf({ members, subGroups }: People, user: string): ReadonlySet<string> {
  const names = new Set([user, 'Everyone'])
  for (const [group, users] of members) if (users.includes(user)) names.add(group)
  for (let before = 0; before < names.size; ) {
    before = names.size
    for (const [group, inner] of subGroups) if (inner.some((one) => names.has(one))) names.add(group)
  }
  return names
}

export function isAdministrator(people: People, user: string): boolean {
  return user === 'Administrator' || namesOf(people, user).has('administrators')
}

function isEffective({ begin, end }: Ace, now: string): boolean {
  return !(end !== null && now > end) && !(begin !== null && now < begin)
}

const isBlock = (ace: Ace) => !ace.granted && ace.username === 'Everyone' && ace.permission === 'Everything'

const entriesOf = (acls: readonly Acl[]) => [
  ...acls.filter(({ name }) => name !== 'local').flatMap(({ aces }) => aces),
  ...acls.filter(({ name }) => name === 'local').flatMap(({ aces }) => aces),
]

/** The walk of 11.4 up the levels, the document's own ACLs first. */
export function isGranted(levels: readonly (readonly Acl[])[], names: ReadonlySet<string>, asked: string, now: string): boolean {
  for (const level of levels) {
    const effective = entriesOf(level).filter((ace) => isEffective(ace, now))
    const decisive = effective.find((ace) => names.has(ace.username) && matches(ace.permission, asked))
    if (decisive !== undefined) return decisive.granted
    if (effective.some(isBlock)) return false
  }
  return false
}

/** What a stored list has to hold: all entries up to a level that blocks for good. */
export function effectiveList(levels: readonly (readonly Acl[])[]): readonly Ace[] {
  const list: Ace[] = []
  for (const level of levels) {
    const own = entriesOf(level)
    list.push(...own)
    if (own.some((ace) => isBlock(ace) && ace.begin === null && ace.end === null)) break
  }
  return list
}
