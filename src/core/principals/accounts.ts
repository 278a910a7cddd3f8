import { createPrincipal, findTransientEmail, isTransient, type Principal, systemUser } from '../../model/principal.ts'
import type { DirectoryEntry, DirectoryReader } from '../../store/directories.ts'
import { groupMembers, userDirectory } from '../directories/people.ts'
import { computeGroups } from './computed-groups.ts'
import { listAllGroups, listGroupsWith, listListedGroups } from './group-inheritance.ts'
import { labelGroups } from './group-labels.ts'
import { hashPassword } from './password.ts'
import type { PrincipalRules, VirtualUser } from './principal-rules.ts'

/** Somebody who exists: in the directory, in the configuration, or by nothing but a name that says so. */
export interface User {
  readonly principal: Principal
  /** Fields of the user schema, without the password and the groups. */
  readonly properties: DirectoryEntry['values']
  /** It has an entry in the directory, and so can be changed. */
  readonly isStored: boolean
  /** The groups that list it, or that the configuration gives it. */
  ownGroups(): Promise<readonly string[]>
  /** What its groups are called, all of them, by name. */
  groupLabels(): Promise<ReadonlyMap<string, string>>
}

export interface Account {
  readonly user: User
  /** What is stored in place of the password; null lets nobody in. */
  readonly password: string | null
  /** Among the groups of the user, those that were computed. */
  readonly computed: readonly string[]
}

/** Finds accounts, each time anew. */
export type FindAccount = (name: string) => Promise<Account | undefined>

export function createAccountFinder(directories: DirectoryReader, rules: PrincipalRules): FindAccount {
  const virtualUsers = new Map(rules.virtualUsers.map((user) => [user.name, withHashedPassword(user)]))

  function aUser(principal: Principal, properties: User['properties'], known?: { ownGroups: readonly string[] }): User {
    return {
      principal,
      properties,
      isStored: false,
      ownGroups: loadOnce(async () => known?.ownGroups ?? directories.listSources(groupMembers, principal.name)),
      groupLabels: loadOnce(() => labelGroups(directories, rules, principal.groups)),
    }
  }

  function aPrincipal(name: string, groups: readonly string[]): Principal {
    return createPrincipal(name, groups, { isAdministrator: rules.administratorsGroups.some((one) => groups.includes(one)) })
  }

  async function readAnonymous({ name, properties }: NonNullable<PrincipalRules['anonymousUser']>): Promise<Account> {
    const groups = await listListedGroups(directories, name)
    // Whoever comes without a name is never an administrator, whatever groups list it.
    const principal = createPrincipal(name, groups, { isAdministrator: false, isAnonymous: true })
    return { user: aUser(principal, { ...properties, username: name }), password: null, computed: [] }
  }

  async function readVirtual({ user, readHash }: HashedUser): Promise<Account> {
    const { name, groups: ownGroups, properties, password } = user
    const computed = computeGroups(rules, name)
    const principal = aPrincipal(name, await listGroupsWith(directories, rules, name, ownGroups, computed))
    const shown = aUser(principal, { ...properties, username: name }, { ownGroups })
    return { user: shown, password: password === '' ? null : await readHash(), computed }
  }

  async function findStored(name: string): Promise<Account | undefined> {
    const entry = await directories.find(userDirectory, name)
    if (entry === undefined) return undefined
    const { password, groups: _, ...properties } = entry.values
    const computed = computeGroups(rules, name)
    const principal = aPrincipal(name, await listAllGroups(directories, rules, name, computed))
    return {
      user: { ...aUser(principal, properties), isStored: true },
      password: typeof password === 'string' && password !== '' ? password : null,
      computed,
    }
  }

  /** Somebody without an account who was invited by mail: in no group, and let in by other means than a password. */
  function findTransient(name: string): Account | undefined {
    const email = findTransientEmail(name)
    if (email === undefined) return undefined
    const principal = createPrincipal(name, [], { isAdministrator: false })
    const user = aUser(principal, { username: name, firstName: email, email }, { ownGroups: [] })
    return { user, password: null, computed: [] }
  }

  return async (name) => {
    if (name === systemUser) return undefined
    if (isTransient(name)) return findTransient(name)
    if (name === rules.anonymousUser?.name) return readAnonymous(rules.anonymousUser)
    const virtual = virtualUsers.get(name)
    return virtual === undefined ? findStored(name) : readVirtual(virtual)
  }
}

interface HashedUser {
  readonly user: VirtualUser
  readHash(): Promise<string>
}

/** The configuration holds the password itself; hashed like others it is compared and remembered like others. */
function withHashedPassword(user: VirtualUser): HashedUser {
  return { user, readHash: loadOnce(() => hashPassword(user.password)) }
}

/** Loads when it is first asked, and keeps what came; a failure is not kept. */
function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | undefined
  return () => {
    kept ??= load().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }
}
