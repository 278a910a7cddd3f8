import { hash } from 'node:crypto'
import { randomText } from '../../base/ids.ts'
import { type IsoDate, isoDate } from '../../base/iso-date.ts'
import { typedName } from '../../base/typed-name.ts'
import { readHolder } from '../../core/principals/name-holder.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import { listenToRevocations } from '../oauth2-tokens/index.ts'
import type { UserGrant } from './access-tokens.ts'
import type { OAuth2Client } from './clients.ts'
import type { CodeChallenge } from './pkce.ts'

/** Who lets whom act, beyond their names: the next program of the same id is another, and so is the next user of the name. */
export interface GrantParties extends UserGrant {
  /** The entry of the program. */
  readonly registration: string
  /** Which of all who had the name. */
  readonly holder: string
}

/** What somebody consented to, for as long as the program takes to fetch it. */
export interface GrantedCode extends GrantParties {
  /** The last time that the user took back what the program was granted, when this was asked for (`readRevocation`). */
  readonly revocation: string
  /** The address that the program named, and has to name again; null when it named none. */
  readonly redirectUri: string | null
  readonly challenge: CodeChallenge | null
}

const codeMinutes = 10
const codeLength = 32

// What is stored does not give the code away: an expiring value under its digest, which every process finds.
const openKey = (code: string) => typedName<GrantedCode>(`oauth2/code/${hash('sha256', code, 'base64url')}`)
const usedKey = (code: string) => typedName<GrantParties>(`oauth2/used-code/${hash('sha256', code, 'base64url')}`)

export async function grantCode({ tx, now }: WriteSession, granted: GrantedCode): Promise<string> {
  const code = randomText(codeLength)
  await tx.transient.set(openKey(code), granted, expiryFrom(now))
  return code
}

/** Undefined also when it has expired or was presented before. */
export function findCode({ reader, now }: Session, code: string): Promise<GrantedCode | undefined> {
  return reader.transient.find(openKey(code), now)
}

/** From now on the code is of no use, whether it was presented rightly or wrongly. */
export async function consumeCode({ tx }: WriteSession, code: string): Promise<void> {
  await tx.transient.remove(openKey(code))
}

/** Remembers that a token was given for it: if it is presented again, one of the two who did so has stolen it. */
export async function noteUsedCode({ tx, now }: WriteSession, code: string, granted: GrantedCode): Promise<void> {
  const { clientId, user, registration, holder } = granted
  await tx.transient.set(usedKey(code), { clientId, user, registration, holder }, expiryFrom(now))
}

export function findUsedCode({ reader, now }: Session, code: string): Promise<GrantParties | undefined> {
  return reader.transient.find(usedKey(code), now)
}

/** Whether both are still who they were; a program that is gone is nobody else. */
export async function areSame(session: Session, parties: GrantParties, client: OAuth2Client | undefined): Promise<boolean> {
  if (client !== undefined && client.entryId !== parties.registration) return false
  return (await readHolder(session.reader.transient, parties.user, session.now)) === parties.holder
}

const revokedKey = ({ clientId, user }: UserGrant) =>
  `oauth2/revoked/${hash('sha256', JSON.stringify([clientId, user]), 'base64url')}`

/** What tells the last revocation from those before; empty when there was none while any code that is still good was given. */
export async function readRevocation({ reader, now }: Session, grant: UserGrant): Promise<string> {
  const revoked = await reader.transient.find(revokedKey(grant), now)
  return typeof revoked === 'string' ? revoked : ''
}

/** Whether what the program was granted has been taken back since the code was asked for. */
export async function isRevoked(session: Session, granted: GrantedCode): Promise<boolean> {
  const last = await readRevocation(session, granted)
  return last !== '' && last !== granted.revocation
}

/** Codes that the program has not presented yet go with its token: else it would come back with one. */
export const voidCodesOfRevoked = listenToRevocations('voidOAuth2CodesOfRevoked', async (grant, { tx, now }) => {
  // Outlives all codes of before, also where the clock of another process is a little behind.
  await tx.transient.set(revokedKey(grant), randomText(20), expiryFrom(now, 2 * codeMinutes))
})

function expiryFrom(now: IsoDate, minutes = codeMinutes): IsoDate {
  return isoDate(new Date(Date.parse(now) + minutes * 60_000))
}
