import { hash } from 'node:crypto'
import { createPrincipal, type Principal, systemUser } from '../../model/principal.ts'
import type { Store } from '../../store/store.ts'
import { groupMembers, subGroups, userDirectory } from '../directories/people.ts'
import { hashPassword, isPassword } from './password.ts'

/** Who exists, and who is who: users with the groups they belong to, always as of now in every process. */
export interface Principals {
  /** Undefined when there is no such user. */
  find(name: string): Promise<Principal | undefined>
  /** The principal when the password is right. A success is remembered for a short while, so that requests do not pay the hash. */
  authenticate(name: string, password: string): Promise<Principal | undefined>
  /** The principal as of now, as long as the password with which it was once let in is still the right one. */
  renew(admitted: Principal): Promise<Principal | undefined>
}

export interface PrincipalRules {
  /** Whose members may do everything. */
  readonly administratorsGroups: readonly string[]
  /** Users that may do everything whatever their groups. */
  readonly defaultAdministrators: readonly string[]
  /** A group that every user has without being listed in it. */
  readonly defaultGroup?: string
}

interface Account {
  readonly principal: Principal
  readonly password: string | null
}

const verifiedForMillis = 5 * 60_000
const maxRemembered = 10_000

export function createPrincipals(store: Store, rules: PrincipalRules): Principals {
  const { directories } = store.reader
  let accounts = new Map<string, Account | undefined>()
  let generation = -1
  const verified = new Map<string, { readonly stored: string; readonly until: number }>()
  const underVerification = new Map<string, Promise<boolean>>()
  /** The stored passwords that let principals in. */
  const admissions = new WeakMap<Principal, string>()
  let unknownUsersPassword: Promise<string> | undefined

  async function findAccount(name: string): Promise<Account | undefined> {
    const current = await directories.generation()
    if (current !== generation || accounts.size > maxRemembered) {
      accounts = new Map()
      generation = current
    }
    const known = accounts
    if (known.has(name)) return known.get(name)
    const account = await loadAccount(name)
    known.set(name, account)
    return account
  }

  async function loadAccount(name: string): Promise<Account | undefined> {
    const entry = name === systemUser ? undefined : await directories.find(userDirectory, name)
    if (entry === undefined) return undefined
    const groups = await listGroups(name)
    const isAdministrator =
      rules.defaultAdministrators.includes(name) || rules.administratorsGroups.some((group) => groups.includes(group))
    const password = entry.values['password']
    return {
      principal: createPrincipal(name, groups, { isAdministrator }),
      password: typeof password === 'string' && password !== '' ? password : null,
    }
  }

  /** Direct groups, then theirs, and so on; a circle of groups ends where it began. */
  async function listGroups(name: string): Promise<readonly string[]> {
    const groups = new Set(await directories.listSources(groupMembers, name))
    if (rules.defaultGroup !== undefined) groups.add(rules.defaultGroup)
    if (rules.defaultAdministrators.includes(name)) for (const group of rules.administratorsGroups) groups.add(group)
    for (const group of groups) {
      for (const parent of await directories.listSources(subGroups, group)) groups.add(parent)
    }
    return [...groups]
  }

  async function isRight(name: string, password: string, stored: string): Promise<boolean> {
    const key = hash('sha256', `${name}\n${password}`, 'base64')
    const known = verified.get(key)
    if (known !== undefined && known.stored === stored && known.until > Date.now()) return true
    // Requests that arrive together with the same credentials share one computation.
    const pending = underVerification.get(key) ?? isPassword(password, stored)
    underVerification.set(key, pending)
    const isCorrect = await pending.finally(() => underVerification.delete(key))
    if (isCorrect) {
      if (verified.size >= maxRemembered) verified.clear()
      verified.set(key, { stored, until: Date.now() + verifiedForMillis })
    }
    return isCorrect
  }

  return {
    find: async (name) => (await findAccount(name))?.principal,
    async authenticate(name, password) {
      const account = await findAccount(name)
      if (account?.password == null) {
        // As slow as a wrong password, so that the time does not tell which names exist.
        unknownUsersPassword ??= hashPassword('nobody has this password')
        await isPassword(password, await unknownUsersPassword)
        return undefined
      }
      if (!(await isRight(name, password, account.password))) return undefined
      admissions.set(account.principal, account.password)
      return account.principal
    },
    async renew(admitted) {
      const account = await findAccount(admitted.name)
      const stored = admissions.get(admitted)
      if (stored === undefined || account?.password !== stored) return undefined
      if (account.principal !== admitted) admissions.set(account.principal, stored)
      return account.principal
    },
  }
}
