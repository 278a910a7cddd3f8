import { hash } from 'node:crypto'
import { randomText } from '../../base/ids.ts'
import { type IsoDate, isoDate } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import { readHolder } from '../../core/principals/name-holder.ts'
import type { Session, WriteSession } from '../../core/session.ts'
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
  /** The address that the program named, and has to name again; null when it named none. */
  readonly redirectUri: string | null
  readonly challenge: CodeChallenge | null
}

const codeMinutes = 10
const codeLength = 32

// What is stored does not give the code away: an expiring value under its digest, which every process finds.
const openKey = (code: string) => `oauth2/code/${hash('sha256', code, 'base64url')}`
const usedKey = (code: string) => `oauth2/used-code/${hash('sha256', code, 'base64url')}`

export async function grantCode({ tx, now }: WriteSession, granted: GrantedCode): Promise<string> {
  const code = randomText(codeLength)
  await tx.transient.set(openKey(code), granted as unknown as Json, expiryFrom(now))
  return code
}

/** Undefined also when it has expired or was presented before. */
export async function findCode({ reader, now }: Session, code: string): Promise<GrantedCode | undefined> {
  return (await reader.transient.find(openKey(code), now)) as unknown as GrantedCode | undefined
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

export async function findUsedCode({ reader, now }: Session, code: string): Promise<GrantParties | undefined> {
  return (await reader.transient.find(usedKey(code), now)) as unknown as GrantParties | undefined
}

/** Whether both are still who they were; a program that is gone is nobody else. */
export async function areSame(session: Session, parties: GrantParties, client: OAuth2Client | undefined): Promise<boolean> {
  if (client !== undefined && client.entryId !== parties.registration) return false
  return (await readHolder(session.reader.transient, parties.user, session.now)) === parties.holder
}

function expiryFrom(now: IsoDate): IsoDate {
  return isoDate(new Date(Date.parse(now) + codeMinutes * 60_000))
}
