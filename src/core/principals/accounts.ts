import { hash } from 'node:crypto'
import { batched } from '../../base/batched.ts'
import { type IsoDate, isoDate } from '../../base/iso-date.ts'
import { createPrincipal, findTransientEmail, isTransient, type Principal, systemUser } from '../../model/rights/principal.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import type { Reader } from '../../store/store.ts'
import { userDirectory } from '../directories/people.ts'
import { computeGroups } from './computed-groups.ts'
import { type GroupInheritance, joined, listUnlistedGroups, readGroupInheritance } from './group-inheritance.ts'
import { labelGroups } from './group-labels.ts'
import { findReleases } from './name-holder.ts'
import { hashPasswordWith } from './password.ts'
import type { PrincipalRules, VirtualUser } from './principal-rules.ts'

/** A user who exists: in the directory, in the configuration, or by nothing but a name that says so. */
export interface User {
  readonly principal: Principal
  /** Fields of the user schema, without the password and the groups. */
  readonly properties: DirectoryEntry['values']
  /** It has an entry in the directory, and so can be changed. */
  readonly isStored: boolean
  /** The groups that list it, or, where the configuration declares it, those that it is given there. */
  readonly ownGroups: readonly string[]
  /** Groups that it has beside these without being listed: by default, as an administrator by name, or computed. */
  readonly unlistedGroups: readonly string[]
  /** What its groups are called, all of them, by name. */
  groupLabels(): Promise<ReadonlyMap<string, string>>
}

export interface Account {
  readonly user: User
  /** What is stored in place of the password; null matches no password. */
  readonly password: string | null
  /** Among the groups of the user, those that were computed. */
  readonly computed: readonly string[]
}

/** Accounts by name, each time anew; of many as of one, with the same few statements. An unknown name is left out. */
export type FindAccounts = (names: readonly string[]) => Promise<ReadonlyMap<string, Account>>

/** Of the store where directories live. */
type AccountReader = Pick<Reader, 'directories' | 'transient'>

/** What is known of a user before the groups are. */
interface Person extends Pick<Account, 'password' | 'computed'> {
  readonly name: string
  readonly properties: DirectoryEntry['values']
  readonly isStored?: boolean
  readonly isAnonymous?: boolean
  /** Those of the configuration, instead of those that list it. */
  readonly ownGroups?: readonly string[]
  /** Groups that it has beside its own. */
  readonly unlisted: readonly string[]
}

export function createAccountFinder({ directories, transient }: AccountReader, rules: PrincipalRules): FindAccounts {
  const virtualUsers = new Map(rules.virtualUsers.map((user) => [user.name, withHashedPassword(user)]))
  const readLabels = batched((groups: readonly (readonly string[])[]) =>
    labelGroups(directories, rules, [...new Set(groups.flat())]),
  )

  return async (names) => {
    const people = await findPeople(names)
    const listed = people.filter(({ ownGroups }) => ownGroups === undefined).map(({ name }) => name)
    const given = people.flatMap(({ ownGroups = [], unlisted }) => [...ownGroups, ...unlisted])
    const inheritance = await readGroupInheritance(directories, listed, given)
    const releases = await listReleases(people)
    return new Map(people.map((person) => [person.name, accountOf(person, inheritance, releases.get(person.name))]))
  }

  /** Looked for after the entries: who was removed meanwhile is not taken for the next one. A guest's name is their address, and stays theirs. */
  async function listReleases(people: readonly Person[]): Promise<ReadonlyMap<string, IsoDate>> {
    if (rules.removedPeopleRights === 'keep') return new Map()
    const names = people.map(({ name }) => name).filter((name) => !isTransient(name))
    return findReleases(transient, names, isoDate(new Date()))
  }

  async function findPeople(names: readonly string[]): Promise<readonly Person[]> {
    const unstored = await Promise.all(names.filter(isUnstored).map(findUnstored))
    const entries = await directories.findAll(
      userDirectory,
      names.filter((name) => !isUnstored(name)),
    )
    return [...unstored.filter((person) => person !== undefined), ...entries.map(storedPerson)]
  }

  /** Of a name with a fixed meaning, whatever the directory has under it. */
  function isUnstored(name: string): boolean {
    return name === systemUser || isTransient(name) || name === rules.anonymousUser?.name || virtualUsers.has(name)
  }

  async function findUnstored(name: string): Promise<Person | undefined> {
    if (name === systemUser) return undefined
    if (isTransient(name)) return findTransient(name)
    if (name === rules.anonymousUser?.name) return anonymousPerson(rules.anonymousUser)
    const virtual = virtualUsers.get(name)
    return virtual && readVirtual(virtual)
  }

  function anonymousPerson({ name, properties }: NonNullable<PrincipalRules['anonymousUser']>): Person {
    return { name, properties: { ...properties, username: name }, isAnonymous: true, password: null, computed: [], unlisted: [] }
  }

  async function readVirtual({ user, readHash }: HashedUser): Promise<Person> {
    const { name, groups: ownGroups, properties, password } = user
    const hash = password === '' ? null : await readHash()
    return { name, properties: { ...properties, username: name }, ownGroups, password: hash, ...groupsBeside(name) }
  }

  function storedPerson({ id: name, values }: DirectoryEntry): Person {
    const { password: stored, groups: _, ...properties } = values
    const password = typeof stored === 'string' && stored !== '' ? stored : null
    return { name, properties, isStored: true, password, ...groupsBeside(name) }
  }

  function groupsBeside(name: string): Pick<Person, 'computed' | 'unlisted'> {
    const computed = computeGroups(rules, name)
    return { computed, unlisted: listUnlistedGroups(rules, name, computed) }
  }

  function accountOf(person: Person, inheritance: GroupInheritance, nameFreed: IsoDate | undefined): Account {
    const { name, properties, isStored = false, isAnonymous = false, password, computed, unlisted } = person
    const ownGroups = person.ownGroups ?? inheritance.listGroupsListing(name)
    const groups = joined(inheritance.withThoseAbove(ownGroups), inheritance.withThoseAbove(unlisted))
    // The anonymous user is never an administrator, whatever groups list it.
    const isAdministrator = !isAnonymous && rules.administratorsGroups.some((one) => groups.includes(one))
    const principal = createPrincipal(name, groups, {
      isAdministrator,
      isAnonymous,
      ...(nameFreed !== undefined && { nameFreed }),
    })
    const groupLabels = loadOnce(() => readLabels(groups))
    return { user: { principal, properties, isStored, ownGroups, unlistedGroups: unlisted, groupLabels }, password, computed }
  }
}

/** A guest without an account who was invited by mail: in no group, and let in by other means than a password. */
function findTransient(name: string): Person | undefined {
  const email = findTransientEmail(name)
  if (email === undefined) return undefined
  const properties = { username: name, firstName: email, email }
  return { name, properties, ownGroups: [], password: null, computed: [], unlisted: [] }
}

interface HashedUser {
  readonly user: VirtualUser
  readHash(): Promise<string>
}

/**
 * The configuration holds the password itself; hashed like others it is compared and remembered like others. The same comes out in every
 * process and after each start: a session lasts as long as the hash with which it began is that of its user.
 */
function withHashedPassword(user: VirtualUser): HashedUser {
  const nonce = hash('sha256', `virtual user ${user.name}`, 'buffer').subarray(0, 16)
  return { user, readHash: loadOnce(() => hashPasswordWith(nonce, user.password)) }
}

/** Loads when it is first asked, and caches what came; a failure is not cached. */
function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
