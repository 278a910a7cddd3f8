import { hash, randomUUID } from 'node:crypto'
import { isoDate } from '../../base/iso-date.ts'
import { isSameText } from '../../base/same-text.ts'
import { typedName } from '../../base/typed-name.ts'
import { readHolder } from '../../core/principals/name-holder.ts'
import type { Session, WriteSession } from '../../core/session.ts'

/** What a consumer asks a user for, until it is granted and taken. */
export interface RequestToken {
  readonly secret: string
  readonly consumerKey: string
  /** Where the user is sent on to; empty: to where the consumer is registered. */
  readonly callback: string
  /** Once a user has granted it. */
  readonly grant?: GrantingUser & { readonly verifier: string; readonly durationMinutes: number }
}

export interface GrantingUser {
  readonly login: string
  /** Which of all who had the name: the next is somebody else. */
  readonly holder: string
}

/** Time to sign in and to think it over. The tokens are stored, so that any process can go on with what another began. */
const lifetimeMillis = 30 * 60_000

/** By a digest: who reads the database finds no token to use. */
const keyOf = (token: string) => typedName<RequestToken>(`oauth1/requestToken/${hash('sha256', token)}`)

export async function createRequestToken(
  session: WriteSession,
  asked: Pick<RequestToken, 'consumerKey' | 'callback'>,
): Promise<{ token: string; secret: string }> {
  const token = `NX-RT-${randomUUID()}`
  const secret = `NX-RTS-${randomUUID()}`
  await store(session, token, { ...asked, secret })
  return { token, secret }
}

/** Undefined also when it has expired, or was taken. */
export function findRequestToken({ reader, now }: Session, token: string): Promise<RequestToken | undefined> {
  return reader.transient.find(keyOf(token), now)
}

/** The user lets the consumer act: gives the verifier that it has to know. Who grants it last counts. */
export async function grantRequestToken(
  session: WriteSession,
  token: string,
  asked: RequestToken,
  granted: GrantingUser & { readonly durationMinutes: number },
): Promise<string> {
  const verifier = `NX-VERIF-${randomUUID()}`
  await store(session, token, { ...asked, grant: { ...granted, verifier } })
  return verifier
}

/** Takes it out of the store; undefined when another has, the verifier is not the one that was given, or its user is gone. */
export async function takeRequestToken(
  session: WriteSession,
  token: string,
  { verifier, mayBypassVerifier }: { readonly verifier: string; readonly mayBypassVerifier: boolean },
): Promise<(RequestToken & Required<Pick<RequestToken, 'grant'>>) | undefined> {
  // Of two who come with the same one, the second finds nothing.
  await session.tx.directories.lock()
  const asked = await findRequestToken(session, token)
  const { grant } = asked ?? {}
  if (asked === undefined || grant === undefined) return undefined
  const isVerified = verifier === '' ? mayBypassVerifier : isSameText(verifier, grant.verifier)
  if (!isVerified) return undefined
  if ((await readHolder(session.reader.transient, grant.login, session.now)) !== grant.holder) return undefined
  await session.tx.transient.remove(keyOf(token))
  return { ...asked, grant }
}

async function store({ tx }: WriteSession, token: string, value: RequestToken): Promise<void> {
  await tx.transient.set(keyOf(token), value, isoDate(new Date(Date.now() + lifetimeMillis)))
}
