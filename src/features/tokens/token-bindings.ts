import type { IsoDate } from '../../base/iso-date.ts'
import { defineProblem } from '../../base/problem.ts'
import { readDirectory } from '../../core/directories/read-directory.ts'
import { planLookup } from '../../core/directories/search-entries.ts'
import { storedEntry } from '../../core/directories/stored-entry.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import type { Services } from '../../rest/services.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import { tokenDirectory } from './token-model.ts'
import { listTokenSecrets, readTokenSecrets } from './token-secrets.ts'
import { deriveToken, digestOfToken, findToken, mayBeToken, newSalt } from './token-text.ts'

/** Whose token it is, and in which program on which device. There is one token for all three. */
export interface TokenBinding {
  readonly userName: string
  readonly applicationName: string
  readonly deviceId: string
}

export interface WantedToken extends TokenBinding {
  readonly deviceDescription: string | null
  /** What the program says that it needs; nothing enforces it (contract: security 2.3). */
  readonly permission: string
}

export interface IssuedToken extends WantedToken {
  /** The token itself; its digest where the secret that made it is gone, so that it cannot be told. Either revokes it. */
  readonly id: string
  readonly creationDate: IsoDate
}

export const tooManyTokens = defineProblem(
  'tooManyTokens',
  'conflict',
  (of: { userName: string; max: number }) =>
    `${of.userName} has ${of.max} tokens already. Revoke those that are not used any more.`,
)

const newestFirst = [{ field: 'creationDate', isAscending: false }]
const byPerson = [{ field: 'userName', isAscending: true }, ...newestFirst]

/** More than all devices of anybody; a program that makes a new one at each start is stopped by it. */
const maxTokensOfUser = 1_000

/**
 * The token of the binding: the one that there is, or a new one. For a session where directories live.
 * @throws tooManyTokens
 */
export async function acquireToken(session: WriteSession, services: Services, wanted: WantedToken): Promise<string> {
  const { directories } = session.tx
  // Two programs of one device may ask at once, and must be told the same.
  await directories.lock()
  const existing = await findEntry(session, wanted)
  const secrets = await readTokenSecrets(session, services)
  const known = existing && findToken(secrets, sealed(existing))
  if (known !== undefined) return known
  if (existing !== undefined) await directories.remove(tokenDirectory, existing.id)
  else await requireRoomForToken(session, wanted)
  return insertToken(session, secrets, wanted)
}

/** The token of the binding without making one; undefined also when it cannot be told. */
export async function findIssuedToken(session: Session, services: Services, binding: TokenBinding): Promise<string | undefined> {
  const existing = await findEntry(session, binding)
  return existing && findToken(await listTokenSecrets(session, services), sealed(existing))
}

/** Newest first, each by its digest; where secrets are given, by itself. */
export async function listTokens(
  session: Session,
  wanted: Partial<TokenBinding>,
  secrets: readonly string[] = [],
): Promise<readonly IssuedToken[]> {
  return (await listEntries(session, wanted)).map((entry) => issuedToken(entry, secrets))
}

/** Those of everybody or of one user, each by its digest: by person, which an index has in order, and newest first. */
export async function listTokenPage(
  session: Session,
  { user: userName, offset, limit }: { readonly user?: string; readonly offset: number; readonly limit: number },
): Promise<{ readonly tokens: readonly IssuedToken[]; readonly total: number }> {
  const lookup = planLookup(readDirectory(session, tokenDirectory), userName === undefined ? {} : { userName })
  const { entries, total } = await session.reader.directories.search({ ...lookup, order: byPerson, offset, limit })
  return { tokens: entries.map((entry) => issuedToken(entry, [])), total }
}

/** Takes a token away, whosever it is; false when there was none. */
export async function revokeByDigest(session: WriteSession, digest: string): Promise<boolean> {
  return mayBeToken(digest) && session.tx.directories.remove(tokenDirectory, digest)
}

/** Takes a binding's token away; false when there was none. */
export async function revokeBinding(session: WriteSession, binding: TokenBinding): Promise<boolean> {
  return (await revokeTokens(session, binding)) > 0
}

/** Takes away all tokens of a user, a program or a device, and gives how many there were. */
export async function revokeTokens(session: WriteSession, wanted: Partial<TokenBinding>): Promise<number> {
  const { directories } = session.tx
  await directories.lock()
  const entries = await listEntries(session, wanted)
  await directories.removeAll(
    tokenDirectory,
    entries.map(({ id }) => id),
  )
  return entries.length
}

/** Takes a token away that is given as itself or by its digest, if it is the user's; any user's where none is named. */
export async function revokeToken(session: WriteSession, tokenOrDigest: string, userName?: string): Promise<boolean> {
  if (!mayBeToken(tokenOrDigest)) return false
  const { directories } = session.tx
  const [entry] = await directories.findAll(tokenDirectory, [digestOfToken(tokenOrDigest), tokenOrDigest])
  if (entry === undefined || (userName !== undefined && entry.values['userName'] !== userName)) return false
  return directories.remove(tokenDirectory, entry.id)
}

async function requireRoomForToken(session: WriteSession, { userName }: TokenBinding): Promise<void> {
  const lookup = planLookup(readDirectory(session, tokenDirectory), { userName })
  const { total } = await session.tx.directories.search({ ...lookup, limit: 1 })
  if (total >= maxTokensOfUser) throw tooManyTokens({ userName, max: maxTokensOfUser })
}

async function insertToken(session: WriteSession, [secret = '']: readonly string[], wanted: WantedToken): Promise<string> {
  const salt = newSalt()
  const token = deriveToken(secret, salt)
  const id = digestOfToken(token)
  const { userName, applicationName, deviceId, deviceDescription, permission } = wanted
  const told = { userName, applicationName, deviceId, deviceDescription, permission, creationDate: session.now }
  const values: { [field: string]: PropertyValue } = { token: id, ...told, [saltField]: salt }
  await session.tx.directories.insert(tokenDirectory, storedEntry(readDirectory(session, tokenDirectory), { id, values }))
  return token
}

/** No field of the schema: clients see what that has. */
const saltField = 'salt'

function sealed({ id, values }: DirectoryEntry): { salt: string; digest: string } {
  return { salt: String(values[saltField]), digest: id }
}

async function findEntry(session: Session, { userName, applicationName, deviceId }: TokenBinding) {
  const [entry] = await listEntries(session, { userName, applicationName, deviceId })
  return entry
}

async function listEntries(session: Session, wanted: Partial<TokenBinding>): Promise<readonly DirectoryEntry[]> {
  const equal = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
  const lookup = planLookup(readDirectory(session, tokenDirectory), equal)
  const { entries } = await session.reader.directories.search({ ...lookup, order: newestFirst })
  return entries
}

function issuedToken(entry: DirectoryEntry, secrets: readonly string[]): IssuedToken {
  const { values } = entry
  const text = (field: string) => (values[field] == null ? '' : String(values[field]))
  const { deviceDescription = null } = values
  return {
    id: findToken(secrets, sealed(entry)) ?? entry.id,
    userName: text('userName'),
    applicationName: text('applicationName'),
    deviceId: text('deviceId'),
    deviceDescription: deviceDescription === null ? null : String(deviceDescription),
    permission: text('permission'),
    creationDate: text('creationDate'),
  }
}
