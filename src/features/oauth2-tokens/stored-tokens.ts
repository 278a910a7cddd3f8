import type { IsoDate } from '../../base/iso-date.ts'
import { createEntry } from '../../core/directories/create-entry.ts'
import { deleteEntry } from '../../core/directories/delete-entry.ts'
import { directoriesSeenBy } from '../../core/directories/directories-seen-by.ts'
import { listenToEntries } from '../../core/directories/entry-events.ts'
import { readDirectory } from '../../core/directories/read-directory.ts'
import { planLookup } from '../../core/directories/search-entries.ts'
import { updateEntry } from '../../core/directories/update-entry.ts'
import type { ServerListener, Session, WriteSession } from '../../core/session.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import { tokenDirectory } from './oauth2-token-model.ts'

/**
 * What was agreed between a user and a service: one that the server calls for the user, or a program that calls the server. Its
 * secrets are readable in the directory of tokens, by administrators alone, as clients rely on (security 5).
 */
export interface StoredToken {
  readonly id: string
  readonly serviceName: string | null
  readonly accessToken: string | null
  readonly refreshToken: string | null
  /** The user of this server. */
  readonly login: string | null
  /** What the service calls that user. */
  readonly serviceLogin: string | null
  /** The program that calls this server; null for a service that is called. */
  readonly clientId: string | null
  readonly isShared: boolean
  readonly sharedWith: readonly string[]
  /** Of a program's token for how long it is valid, of a service's token until when: both in milliseconds (security 5). */
  readonly expirationMillis: number | null
  readonly creationDate: IsoDate | null
}

export type TokenValues = Omit<StoredToken, 'id'>

const fieldOf = {
  serviceName: 'serviceName',
  accessToken: 'accessToken',
  refreshToken: 'refreshToken',
  login: 'platformLogin',
  serviceLogin: 'serviceLogin',
  clientId: 'clientId',
} as const satisfies { readonly [Name in keyof StoredToken]?: string }

/** What tokens are looked up by: texts that they have exactly so. */
export type TokenKey = { readonly [Name in keyof typeof fieldOf]?: string }

/** Those with just these values, the oldest entry first. */
export async function findTokens(session: Session, key: TokenKey): Promise<readonly StoredToken[]> {
  const equal: { [field: string]: PropertyValue } = {}
  for (const [name, value] of Object.entries(key)) equal[fieldOf[name as keyof TokenKey]] = value
  const definition = readDirectory(session, tokenDirectory)
  const lookup = { ...planLookup(definition, equal), order: [{ field: 'id', isAscending: true }] }
  const { entries } = await directoriesSeenBy(session).search(lookup)
  return entries.map(tokenOf)
}

/** Those of everybody or of one user: by person, which an index has in order however many there are, and the latest first. */
export async function findTokenPage(
  session: Session,
  { user, offset, limit }: { readonly user?: string; readonly offset: number; readonly limit: number },
): Promise<{ readonly tokens: readonly StoredToken[]; readonly total: number }> {
  const lookup = planLookup(readDirectory(session, tokenDirectory), user === undefined ? {} : { [fieldOf.login]: user })
  const order = [
    { field: fieldOf.login, isAscending: true },
    { field: 'creationDate', isAscending: false },
  ]
  const { entries, total } = await directoriesSeenBy(session).search({ ...lookup, order, offset, limit })
  return { tokens: entries.map(tokenOf), total }
}

export async function addToken(session: WriteSession, token: TokenValues): Promise<StoredToken> {
  const change = { values: valuesOf(token), references: {} }
  return tokenOf(await createEntry(session.asSystem(), readDirectory(session, tokenDirectory), change))
}

/** Only what is given changes. */
export async function changeToken(session: WriteSession, id: string, changed: Partial<TokenValues>): Promise<StoredToken> {
  const change = { values: valuesOf(changed), references: {} }
  return tokenOf(await updateEntry(session.asSystem(), readDirectory(session, tokenDirectory), id, change))
}

/** Whatever was given out of it is of no use from now on. */
export async function removeToken(session: WriteSession, id: string): Promise<void> {
  await deleteEntry(session.asSystem(), readDirectory(session, tokenDirectory), id)
}

/** The same for what may be gone already; false then. */
export async function removeTokenById(session: WriteSession, id: string): Promise<boolean> {
  await session.tx.directories.lock()
  if ((await session.tx.directories.find(tokenDirectory, id)) === undefined) return false
  await removeToken(session, id)
  return true
}

/** Hears that a program has lost the token with which it acts for a user, through whichever door that was taken away. */
export function listenToRevocations(
  name: string,
  handle: (grant: { readonly clientId: string; readonly user: string }, session: WriteSession) => Promise<void>,
): ServerListener {
  return listenToEntries(name, tokenDirectory, async ({ before, after }, session) => {
    const [old, current] = [before, after].map((entry) => entry && tokenOf(entry))
    if (old === undefined || old.clientId === null || old.login === null) return
    const isKept = current?.clientId === old.clientId && current.login === old.login
    if (!isKept) await handle({ clientId: old.clientId, user: old.login }, session)
  })
}

/** All that have just these values: of no use from now on. */
export async function forgetTokens(session: WriteSession, key: TokenKey & { readonly isOfService?: true }): Promise<void> {
  const { isOfService = false, ...values } = key
  const { directories } = session.tx
  await directories.lock()
  const tokens = await findTokens(session, values)
  const forgotten = tokens.filter(({ clientId }) => !isOfService || clientId === null)
  await directories.removeAll(
    tokenDirectory,
    forgotten.map(({ id }) => id),
  )
}

/** What somebody who left agreed to is not for the next user of that name. */
export const forgetTokensOfRemoved: ServerListener = {
  name: 'forgetTokensOfRemoved',
  events: ['nameReleased'],
  async handle({ properties }, session) {
    await forgetTokens(session, { login: String(properties['id']) })
  },
}

function valuesOf({ isShared, sharedWith, expirationMillis, creationDate, ...texts }: Partial<TokenValues>) {
  const values: { [field: string]: PropertyValue } = {}
  for (const [name, text] of Object.entries(texts)) values[fieldOf[name as keyof TokenKey]] = text
  if (isShared !== undefined) values['isShared'] = isShared
  if (sharedWith !== undefined) values['sharedWith'] = sharedWith.length === 0 ? null : sharedWith.join(',')
  if (expirationMillis !== undefined) values['expirationTimeMilliseconds'] = expirationMillis
  if (creationDate !== undefined) values['creationDate'] = creationDate
  return values
}

function tokenOf({ id, values }: DirectoryEntry): StoredToken {
  const text = (field: string) => {
    const value = values[field]
    return typeof value === 'string' ? value : null
  }
  const expiration = values['expirationTimeMilliseconds'] ?? null
  return {
    id,
    serviceName: text(fieldOf.serviceName),
    accessToken: text(fieldOf.accessToken),
    refreshToken: text(fieldOf.refreshToken),
    login: text(fieldOf.login),
    serviceLogin: text(fieldOf.serviceLogin),
    clientId: text(fieldOf.clientId),
    isShared: values['isShared'] === true,
    sharedWith: splitNames(text('sharedWith')),
    expirationMillis: expiration === null ? null : Number(expiration),
    creationDate: text('creationDate'),
  }
}

/** What is stored with commas between: the names of a list, the scopes of a service, the addresses of a program. */
export function splitNames(joined: string | null): readonly string[] {
  return (joined ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
