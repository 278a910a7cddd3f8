import { hash } from 'node:crypto'
import type { Principals } from '../../../core/principals/principals.ts'
import type { BrowserRequest, Identity } from '../../../rest/authenticator.ts'
import { databaseUnreachable } from '../../../store/problems.ts'

export interface Credentials {
  readonly name: string
  readonly password: string
}

/** Whether the password is the user's, for whoever asks for it. */
export type PasswordCheck = (
  request: BrowserRequest,
  principals: Principals,
  credentials: Credentials,
) => Promise<CheckedPassword>

export type CheckedPassword = Exclude<Identity, { kind: 'none' }>

/** What stands around the look at a password. */
export interface PasswordGuards {
  /** Undefined: guesses are not counted. */
  readonly throttle: GuessThrottle | undefined
  /** Counts them while the database does not answer. */
  beginAlone(address: string, name: string): GuessPermit
  /** Stores a password anew that was found to be right, where it is stored in an old way. */
  upgrade(principals: Principals, credentials: Credentials): Promise<void>
}

/** Makes those wait who guess, more and more, on all processes (contract: security 2.11). */
export interface GuessThrottle {
  /** How long until the next guess is looked at; 0: now. One that is looked at counts as wrong until it is settled. */
  begin(address: string, name: string): Promise<GuessPermit>
}

export interface GuessPermit {
  readonly retryAfterSeconds: number
  settle(isRight: boolean): Promise<void>
}

export function createPasswordCheck({ throttle, beginAlone, upgrade }: PasswordGuards): PasswordCheck {
  /** Looks that are under way. Whoever brings the same is told the same: a program opens many connections at once, and guesses nothing. */
  const underWay = new Map<string, Promise<CheckedPassword>>()

  /** Where the database does not answer, guesses are counted here: the emergency administrator has to be let in without it. */
  async function beginGuess(address: string, name: string): Promise<{ permit: GuessPermit | undefined; unreachable?: unknown }> {
    try {
      return { permit: await throttle?.begin(address, name) }
    } catch (error) {
      if (!databaseUnreachable.is(error)) throw error
      return { permit: beginAlone(address, name), unreachable: error }
    }
  }

  async function look(address: string, principals: Principals, credentials: Credentials): Promise<CheckedPassword> {
    const { name, password } = credentials
    const { permit, unreachable } = await beginGuess(address, name)
    if (permit !== undefined && permit.retryAfterSeconds > 0) {
      return { kind: 'throttled', name, retryAfterSeconds: permit.retryAfterSeconds }
    }
    let isRight = false
    try {
      const principal = await principals.authenticate(name, password)
      isRight = principal !== undefined
      // Without its counts no guess is told that it was wrong.
      if (principal === undefined && unreachable !== undefined) throw unreachable
      if (principal === undefined) return { kind: 'refused', name }
      if (principals.isStoredOldWay(principal)) await upgrade(principals, credentials)
      return { kind: 'known', principal }
    } finally {
      await permit?.settle(isRight)
    }
  }

  /** The password may have been changed since the other look began, or stored anew by it: then those who wait look again together. */
  async function join(
    other: Promise<CheckedPassword>,
    address: string,
    principals: Principals,
    credentials: Credentials,
  ): Promise<CheckedPassword> {
    const checked = await other
    if (checked.kind !== 'known') return checked
    const principal = await principals.renew(checked.principal)
    return principal === undefined ? check(address, principals, credentials) : { kind: 'known', principal }
  }

  function check(address: string, principals: Principals, credentials: Credentials): Promise<CheckedPassword> {
    const key = hash('sha256', JSON.stringify([address, credentials.name, credentials.password]), 'base64url')
    const before = underWay.get(key)
    if (before !== undefined) return join(before, address, principals, credentials)
    const looking = look(address, principals, credentials).finally(() => underWay.delete(key))
    underWay.set(key, looking)
    return looking
  }

  return ({ clientAddress }, principals, credentials) => check(clientAddress, principals, credentials)
}
