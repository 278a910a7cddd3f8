import { defineProblem } from '../base/problem.ts'
import { readHolder } from '../core/principals/name-holder.ts'
import type { Principals } from '../core/principals/principals.ts'
import type { Session, WriteSession } from '../core/session.ts'
import { isTransient, type Principal } from '../model/rights/principal.ts'
import { notAuthenticated } from './authenticator.ts'
import type { Exchange } from './request/exchange.ts'

export const guestRefused = defineProblem(
  'guestRefused',
  'forbidden',
  (_: object) =>
    'Guests come in by the link in their mail alone: they make no tokens, and let no program act for them. Ask for an account.',
)

const programRefused = defineProblem(
  'programRefused',
  'forbidden',
  (_: object) =>
    'A program that acts for a user with their consent makes and reads no tokens, lets no other program act, and sets no new password of theirs: the user could not take that back with the consent. Have the user sign in.',
)

/**
 * Whether others may act in the name: not in that of the anonymous user, for whom nobody answers, nor in that of a guest, whose own
 * link ends with the last right.
 */
function hasAccount({ name, isAnonymous }: Principal): boolean {
  return !isAnonymous && !isTransient(name)
}

/** @throws notAuthenticated, guestRefused */
export function requireAccount(principal: Principal): void {
  if (principal.isAnonymous) throw notAuthenticated({})
  requireNoGuest(principal)
}

/** @throws guestRefused */
function requireNoGuest({ name }: Principal): void {
  if (isTransient(name)) throw guestRefused({})
}

/** What a program were given in the user's name would outlive the consent. @throws programRefused */
export function requireNoProgram({ isDelegated }: Exchange): void {
  if (isDelegated) throw programRefused({})
}

/** Whether others may act in a name that somebody presents: who has no account has no tokens. */
export async function isOfAccount({ principals }: { readonly principals: Principals }, name: string): Promise<boolean> {
  const principal = await principals.find(name)
  return principal !== undefined && hasAccount(principal)
}

/**
 * Which of all who had the caller's name it is (`readHolder`), for what is granted in it: void once that one is gone.
 * @throws notAuthenticated where the caller was removed meanwhile; programRefused
 */
export function readOwnHolder(exchange: Exchange): Promise<string> {
  requireNoProgram(exchange)
  return readPresentHolder(exchange)
}

/** The same for what is not granted to anybody. @throws notAuthenticated where the caller was removed meanwhile */
export async function readPresentHolder({ directories, principal, services }: Exchange): Promise<string> {
  const holder = await directories.read(({ reader, now }) => readHolder(reader.transient, principal.name, now))
  // Behind the look at the holder: a removal is seen by one of the two.
  if ((await services.principals.find(principal.name)) === undefined) throw notAuthenticated({})
  return holder
}

/** In a write that has locked the directories. @throws notAuthenticated where somebody else has the name since, or nobody */
export async function requireHolder({ reader, now }: Session, name: string, holder: string): Promise<void> {
  if ((await readHolder(reader.transient, name, now)) !== holder) throw notAuthenticated({})
}

/**
 * Writes what lets others act in the name of the caller, unless the caller was removed meanwhile: the next of the name is not to inherit it.
 * @throws notAuthenticated, guestRefused, programRefused
 */
export async function writeForAccount<Result>(
  exchange: Exchange,
  body: (session: WriteSession) => Promise<Result>,
): Promise<Result> {
  const { directories, principal } = exchange
  requireNoGuest(principal)
  const holder = await readOwnHolder(exchange)
  return directories.write(async (session) => {
    await session.tx.directories.lock()
    await requireHolder(session, principal.name, holder)
    return body(session)
  })
}
