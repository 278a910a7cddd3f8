import { defineProblem } from '../../base/problem.ts'
import { aceId, parseAceId } from './ace-id.ts'
import { type Ace, type Acl, inheritedAclName, isBlock, isLastingBlock, localAclName, sameAce, wholeSeconds } from './acl.ts'

export const negativeAclNotAllowed = defineProblem(
  'negativeAclNotAllowed',
  'invalid',
  (of: { ace: Ace }) => `Negative ACL not allowed: ${aceId(of.ace)}. Only Write can be denied, or Everything to Everyone.`,
)

export const aceEndsBeforeItBegins = defineProblem(
  'aceEndsBeforeItBegins',
  'invalid',
  (of: { ace: Ace }) => `The entry for ${of.ace.username} begins at ${of.ace.begin}, after its end at ${of.ace.end}.`,
)

export const tooManyAces = defineProblem(
  'tooManyAces',
  'tooLarge',
  (of: { max: number }) => `A document can have ${of.max} entries of its own at most. Give the right to a group instead.`,
)

export const aceNameTooLong = defineProblem(
  'aceNameTooLong',
  'invalid',
  (of: { name: string; max: number }) =>
    `The name ${of.name.slice(0, 40).toWellFormed()}… in an entry has more than ${of.max} characters.`,
)

const maxAces = 5_000
const maxNameCharacters = 1_000

/** Each entry is compared with each other one, and all of them are evaluated together. @throws tooManyAces, aceNameTooLong */
export function requireBoundedAces(aces: readonly Ace[]): void {
  if (aces.length > maxAces) throw tooManyAces({ max: maxAces })
  for (const { username, permission, creator } of aces) {
    for (const name of [username, permission, creator ?? '']) {
      if (name.length > maxNameCharacters) throw aceNameTooLong({ name, max: maxNameCharacters })
    }
  }
}

/**
 * The same for what is about to be stored with more entries than before: what is taken back may leave however many there were.
 * @throws tooManyAces, aceNameTooLong
 */
export function requireBoundedGrowth(before: readonly Acl[], after: readonly Acl[]): void {
  const has = after.flatMap(({ aces }) => aces)
  if (has.length > before.flatMap(({ aces }) => aces).length) requireBoundedAces(has)
}

export interface AclRules {
  /** Entries may deny any permission to any user. */
  readonly negativeEntries: boolean
  /** The local list comes before the others. */
  readonly localAclFirst: boolean
}

/** Adds entries at the end of a list, but before a block that ends it. One that is there already is not added again. */
export function withAces(acls: readonly Acl[], name: string, added: readonly Ace[]): readonly Acl[] {
  return changed(acls, name, (aces) => {
    requireBoundedAces(added)
    const missing = added.map(wholeSeconds).filter((ace) => !aces.some((other) => sameAce(ace, other)))
    const last = aces.at(-1)
    return last !== undefined && isBlock(last) ? [...aces.slice(0, -1), ...missing, last] : [...aces, ...missing]
  })
}

/** Adds the entries of each list to the one of the same name. */
export function withAcls(acls: readonly Acl[], added: readonly Acl[]): readonly Acl[] {
  return added.reduce((sum, { name, aces }) => withAces(sum, name, aces), acls)
}

/** Puts another entry in the place of each that is found. */
export function withAceReplaced(acls: readonly Acl[], name: string, isOld: (ace: Ace) => boolean, next: Ace): readonly Acl[] {
  return changed(acls, name, (aces) => aces.map((ace) => (isOld(ace) ? wholeSeconds(next) : ace)))
}

/** Takes entries out of a list, or of all lists when none is named. */
export function withoutAces(acls: readonly Acl[], name: string | undefined, isOut: (ace: Ace) => boolean): readonly Acl[] {
  const isIn = (ace: Ace) => !isOut(ace)
  return acls.map((acl) => (name === undefined || acl.name === name ? { name: acl.name, aces: acl.aces.filter(isIn) } : acl))
}

/** Ends the list with a block behind the entries of those who are to stay in; nothing where it is blocked already. */
export function withBlock(acls: readonly Acl[], name: string, staying: readonly Ace[], block: Ace): readonly Acl[] {
  return changed(acls, name, (aces) => {
    if (aces.some(isLastingBlock)) return aces
    const missing = staying.filter((ace) => !aces.some((other) => sameAce(ace, other)))
    return [...aces, ...missing, block]
  })
}

export function withoutBlock(acls: readonly Acl[], name: string): readonly Acl[] {
  return withoutAces(acls, name, isLastingBlock)
}

/** The list with just these entries, the others as they are. */
export function withAcl(acls: readonly Acl[], name: string, aces: readonly Ace[]): readonly Acl[] {
  return changed(acls, name, () => aces)
}

export function withoutAcl(acls: readonly Acl[], name: string): readonly Acl[] {
  return acls.filter((acl) => acl.name !== name)
}

function changed(acls: readonly Acl[], name: string, change: (aces: readonly Ace[]) => readonly Ace[]): readonly Acl[] {
  if (!acls.some((acl) => acl.name === name)) return [...acls, { name, aces: change([]) }]
  return acls.map((acl) => (acl.name === name ? { name, aces: change(acl.aces) } : acl))
}

/**
 * Own ACLs as they are stored: each name once, in the order in which they decide, without empty lists, repeated entries and
 * what is only shown as inherited.
 * @throws tooManyAces, aceNameTooLong
 */
export function tidyAcls(acls: readonly Acl[], { localAclFirst }: Pick<AclRules, 'localAclFirst'>): readonly Acl[] {
  requireBoundedAces(acls.flatMap(({ aces }) => aces))
  const byName = new Map<string, Ace[]>()
  for (const { name, aces } of acls) {
    if (name === inheritedAclName) continue
    const merged = byName.get(name) ?? []
    byName.set(name, merged)
    for (const ace of aces.map(wholeSeconds)) if (!merged.some((other) => sameAce(ace, other))) merged.push(ace)
  }
  const own = [...byName].map(([name, aces]) => ({ name, aces })).filter((acl) => acl.aces.length > 0)
  const others = own.filter((acl) => acl.name !== localAclName)
  const local = own.filter((acl) => acl.name === localAclName)
  return localAclFirst ? [...local, ...others] : [...others, ...local]
}

/**
 * Asks only what is new: entries of old may stay whatever they are.
 * @throws negativeAclNotAllowed, aceEndsBeforeItBegins, and invalidAceId for an entry without a user or a permission.
 */
export function requireAllowedAces(
  before: readonly Acl[],
  after: readonly Acl[],
  rules: Pick<AclRules, 'negativeEntries'>,
): void {
  for (const { ace } of addedAces(before, after)) {
    // An entry whose id cannot be sent could not be removed by it.
    parseAceId(aceId(ace))
    const isAllowed = ace.granted || rules.negativeEntries || isBlock(ace) || ace.permission === 'Write'
    if (!isAllowed) throw negativeAclNotAllowed({ ace })
    if (ace.begin !== null && ace.end !== null && ace.begin > ace.end) throw aceEndsBeforeItBegins({ ace })
  }
}

/** An entry and the list it is in. */
export interface PlacedAce {
  readonly aclName: string
  readonly ace: Ace
}

/** What is in the second ACLs and not in the first; the other way round it is what was removed. */
export function addedAces(before: readonly Acl[], after: readonly Acl[]): readonly PlacedAce[] {
  return after.flatMap(({ name: aclName, aces }) => {
    const known = before.find((acl) => acl.name === aclName)?.aces ?? []
    return aces.filter((ace) => !known.some((other) => sameAce(ace, other))).map((ace) => ({ aclName, ace }))
  })
}

export function sameAcls(left: readonly Acl[], right: readonly Acl[]): boolean {
  const sameAces = (one: readonly Ace[], other: readonly Ace[]) =>
    one.length === other.length && one.every((ace, index) => sameAce(ace, other[index] as Ace))
  return (
    left.length === right.length &&
    left.every((acl, index) => acl.name === right[index]?.name && sameAces(acl.aces, right[index].aces))
  )
}
