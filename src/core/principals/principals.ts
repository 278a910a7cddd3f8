import { hash } from 'node:crypto'
import { batched } from '../../base/batched.ts'
import { createCache } from '../../base/cache/bounded-cache.ts'
import { type IsoDate, isoDate } from '../../base/iso-date.ts'
import { isOwn, isTransient, type Principal } from '../../model/rights/principal.ts'
import { longestTerm } from '../../store/directory-terms.ts'
import type { Store } from '../../store/store.ts'
import { type Account, createAccountFinder, type User } from './accounts.ts'
import { computeGroups } from './computed-groups.ts'
import { createEmergencyAccount } from './emergency-administrator.ts'
import { labelGroups } from './group-labels.ts'
import { findReleases, readHolder } from './name-holder.ts'
import { hashPassword, isPassword, isStoredOldWay } from './password.ts'
import type { PrincipalRules } from './principal-rules.ts'

/**
 * Who exists, and who is who: users with the groups they belong to, always as of now in every process. Those that are asked for at
 * the same time are looked up together, with as many statements as one.
 */
export interface Principals {
  /**
   * Undefined when there is no such user. The emergency administrator is none, here and wherever others look for users: no token, partner
   * or header that names it lets anybody in.
   */
  find(name: string): Promise<Principal | undefined>
  /** The same of who did something at that moment, for what is done later in that name: not somebody who has the name since. */
  findDoer(name: string, moment: IsoDate | undefined): Promise<Principal | undefined>
  /**
   * Those of the names, of users and groups, that somebody had at that moment who was removed since: who has them now was not meant then.
   * Of a moment that nobody knows, all that were ever free.
   */
  freedSince(names: readonly string[], moment: IsoDate | undefined): Promise<ReadonlySet<string>>
  /** As `find`, synchronous where possible: every request that is let in by something else than a password asks. */
  lookUp(name: string): Principal | undefined | Promise<Principal | undefined>
  /** The same with what is known about the user beside its rights. */
  findUser(name: string): Promise<User | undefined>
  /** What is known of the emergency administrator, if that is who asks: to all others there is no such user. */
  findHidden(asker: Principal): Promise<User | undefined>
  /** Of the names those that are groups, stored or computed, with what they are called. */
  labelGroups(names: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The principal when the password is right. A success is cached for a short while, so that requests do not pay the hash. */
  authenticate(name: string, password: string): Promise<Principal | undefined>
  /** Lets a user in by other means than the password, to stay in (`renew`) for as long as it has this one. */
  admit(name: string): Promise<AdmittedUser | undefined>
  /** Whether the password with which the principal was let in is stored in a way that new ones are not. */
  isStoredOldWay(admitted: Principal): boolean
  /** Whether the user has this very password now. Synchronous where possible: many requests ask. */
  hasPassword(name: string, password: string): boolean | Promise<boolean>
  /**
   * The principal as of now, as long as the password with which it was once let in is still the right one. Synchronous where
   * possible: every request of a connection asks.
   */
  renew(admitted: Principal): Principal | undefined | Promise<Principal | undefined>
}

export interface AdmittedUser {
  readonly principal: Principal
  /** A digest of what is stored of the password: another one after each change of it, and for whoever has the name next. */
  readonly credential: string
}

/**
 * @param stored null for an account without a password
 * @param holder which of all who had the name it is (`readHolder`): accounts without a password have nothing else to tell them apart
 */
export function credentialOf(stored: string | null, holder: string): string {
  return hash('sha256', holder === '' ? (stored ?? '') : `${holder}\n${stored ?? ''}`, 'base64url')
}

const verifiedForMillis = 5 * 60_000
const maxCached = 10_000

/**
 * A declared memo: passwords that were right a short while ago, as digests, with what was stored of them. A fact, whichever server
 * found it out; another stored password, or the time, ends it.
 */
const verified = createCache<string, { readonly stored: string; readonly until: number }>({ maxEntries: maxCached })

interface CachedAccount {
  readonly generation: number
  /** Undefined: there is no such user. */
  readonly account: Account | undefined
}

interface PasswordAnswer {
  readonly stored: string
  readonly password: string
  readonly isRight: boolean
}

export function createPrincipals(store: Store, rules: PrincipalRules): Principals {
  const { directories } = store.reader
  const findAccounts = createAccountFinder(store.reader, rules)
  // Lists ask for all their users at the same time, and what each costs is mostly the way to the database.
  const readBatched = batched((names: readonly string[]) => findAccounts([...new Set(names)]))
  const readGeneration = batched(() => directories.generation())
  // An entry is of one generation of the directories, and of no use in the next.
  const accounts = createCache<string, CachedAccount>({ maxEntries: maxCached })
  const underVerification = new Map<string, Promise<boolean>>()
  /** The stored passwords that let principals in. */
  const admissions = new WeakMap<Principal, string | null>()
  /** Of passwords that were asked about, by user: whether it was of what was stored then. Another stored password ends it. */
  const answers = createCache<string, PasswordAnswer>({ maxEntries: maxCached })
  let unknownUsersPassword: Promise<string> | undefined
  const { emergencyAdministrator } = rules
  const isHidden = (name: string) => name === emergencyAdministrator?.name
  const readHidden = emergencyAdministrator && createEmergencyAccount(emergencyAdministrator, rules.administratorsGroups)

  /** Of whoever has shown that they are it, or once did: that of the emergency administrator, too. */
  async function findShown(name: string): Promise<Account | undefined> {
    return isHidden(name) ? readHidden?.() : findAccount(name)
  }

  async function findAccount(name: string): Promise<Account | undefined> {
    // No user is called so, and what is cached of names that no user has must not fill the memory.
    if (name.length > longestTerm || isHidden(name)) return undefined
    const generation = directories.findGeneration() ?? (await readGeneration(undefined))
    const cached = accounts.get(name)
    if (cached?.generation === generation) {
      const { account } = cached
      if (account === undefined || hasComputedGroupsOfNow(account)) return account
    }
    const account = await readAccount(name)
    accounts.set(name, { generation, account })
    return account
  }

  /** The account if that can be told without waiting. */
  function findCached(name: string): Account | undefined {
    const generation = directories.findGeneration()
    const cached = accounts.get(name)
    const account = generation !== undefined && cached?.generation === generation ? cached.account : undefined
    return account !== undefined && hasComputedGroupsOfNow(account) ? account : undefined
  }

  function renewed(admitted: Principal, account: Account | undefined): Principal | undefined {
    const stored = admissions.get(admitted)
    if (stored === undefined || account?.password !== stored) return undefined
    const { principal } = account.user
    if (principal !== admitted) admissions.set(principal, stored)
    return principal
  }

  async function readAccount(name: string): Promise<Account | undefined> {
    try {
      return (await readBatched(name)).get(name)
    } catch {
      // What computes groups may fail for one user; those who were asked for with that one are told of failures of their own.
      return (await findAccounts([name])).get(name)
    }
  }

  /** What computes groups may mind the hour or anything else that no directory tells of. */
  function hasComputedGroupsOfNow({ user: { principal }, computed }: Account): boolean {
    if (rules.groupComputers.length === 0 || principal.isAnonymous || isTransient(principal.name)) return true
    const now = computeGroups(rules, principal.name)
    return now.length === computed.length && now.every((group, index) => group === computed[index])
  }

  async function isRight(name: string, password: string, stored: string): Promise<boolean> {
    const key = hash('sha256', `${name}\n${password}`, 'base64')
    const known = verified.get(key)
    if (known !== undefined && known.stored === stored && known.until > performance.now()) return true
    // Requests that arrive together with the same credentials share one computation, unless the password changes meanwhile.
    const computation = `${key} ${stored}`
    const pending = underVerification.get(computation) ?? isPassword(password, stored)
    underVerification.set(computation, pending)
    const isCorrect = await pending.finally(() => underVerification.delete(computation))
    if (isCorrect) verified.set(key, { stored, until: performance.now() + verifiedForMillis })
    return isCorrect
  }

  /** As long as a wrong password takes, so that the time does not tell which names exist. */
  async function takeTime(password: string): Promise<void> {
    unknownUsersPassword ??= hashPassword('nobody has this password')
    await isPassword(password, await unknownUsersPassword)
  }

  function findAnswer(name: string, password: string, stored: string | null | undefined): boolean | undefined {
    if (stored == null) return false
    const known = answers.get(name)
    return known?.stored === stored && known.password === password ? known.isRight : undefined
  }

  async function findOutPassword(name: string, password: string): Promise<boolean> {
    const stored = (await findAccount(name))?.password
    const known = findAnswer(name, password, stored)
    if (known !== undefined || stored == null) return known ?? false
    const isOne = await isRight(name, password, stored)
    answers.set(name, { stored, password, isRight: isOne })
    return isOne
  }

  return {
    find: async (name) => (await findAccount(name))?.user.principal,
    async findDoer(name, moment) {
      const principal = (await findShown(name))?.user.principal
      return principal && isOwn(principal, name, moment) ? principal : undefined
    },
    async freedSince(names, moment = '') {
      if (rules.removedPeopleRights === 'keep') return new Set()
      // A guest's name is their address, and stays theirs.
      const lasting = names.filter((name) => !isTransient(name))
      const releases = await findReleases(store.reader.transient, lasting, isoDate(new Date()))
      const isBefore = (freed: IsoDate) => Date.parse(freed) < Date.parse(moment)
      return new Set([...releases].flatMap(([name, freed]) => (isBefore(freed) ? [] : name)))
    },
    lookUp: (name) => findCached(name)?.user.principal ?? findAccount(name).then((account) => account?.user.principal),
    findUser: async (name) => (await findAccount(name))?.user,
    findHidden: async ({ name }) => (isHidden(name) ? (await readHidden?.())?.user : undefined),
    labelGroups: (names) => labelGroups(directories, rules, names),
    async authenticate(name, password) {
      const account = await findShown(name)
      if (account?.password == null) {
        await takeTime(password)
        return undefined
      }
      if (!(await isRight(name, password, account.password))) {
        // A digest of old is looked at in no time.
        if (isStoredOldWay(account.password)) await takeTime(password)
        return undefined
      }
      const { principal } = account.user
      admissions.set(principal, account.password)
      return principal
    },
    async admit(name) {
      // Before the look at the account: a removal is seen by one of the two.
      const holder = await readHolder(store.reader.transient, name, isoDate(new Date()))
      const account = await findShown(name)
      if (account === undefined) return undefined
      const { principal } = account.user
      admissions.set(principal, account.password)
      return { principal, credential: credentialOf(account.password, holder) }
    },
    isStoredOldWay(admitted) {
      const stored = admissions.get(admitted)
      return stored != null && isStoredOldWay(stored)
    },
    hasPassword(name, password) {
      const cached = findCached(name)
      const known = cached && findAnswer(name, password, cached.password)
      return known ?? findOutPassword(name, password)
    },
    renew(admitted) {
      const cached = findCached(admitted.name)
      if (cached !== undefined) return renewed(admitted, cached)
      return findShown(admitted.name).then((account) => renewed(admitted, account))
    },
  }
}
