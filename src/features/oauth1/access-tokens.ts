import { randomUUID } from 'node:crypto'
import { listenToEntries } from '../../core/directories/entry-events.ts'
import { readDirectory } from '../../core/directories/read-directory.ts'
import { planLookup } from '../../core/directories/search-entries.ts'
import { storedEntry } from '../../core/directories/stored-entry.ts'
import type { ServerListener, WriteSession } from '../../core/session.ts'
import type { DirectoryReader } from '../../store/directories.ts'
import { accessTokenDirectory, consumerDirectory } from './oauth1-model.ts'

/** What a consumer may do for a user who let it. */
export interface Oauth1AccessToken {
  readonly token: string
  readonly secret: string
  readonly consumerKey: string
  readonly login: string
}

/** What a user has granted to a consumer. */
export interface Oauth1Grant {
  readonly consumerKey: string
  readonly login: string
  readonly callbackUrl: string
  readonly verifier: string
  /** Zero is without end. */
  readonly durationMinutes: number
}

/** Undefined also when the time is over that its user gave it. */
export async function findAccessToken(directories: DirectoryReader, token: string): Promise<Oauth1AccessToken | undefined> {
  const values = (await directories.find(accessTokenDirectory, token))?.values
  const { tokenSecret: secret, consumerKey, platformLogin: login, durationInMinutes, creationDate } = values ?? {}
  if (typeof secret !== 'string' || typeof consumerKey !== 'string' || typeof login !== 'string') return undefined
  const minutes = Number(durationInMinutes ?? 0)
  const isOver = minutes > 0 && Date.parse(String(creationDate)) + minutes * 60_000 < Date.now()
  return isOver ? undefined : { token, secret, consumerKey, login }
}

export async function issueAccessToken(session: WriteSession, grant: Oauth1Grant): Promise<{ token: string; secret: string }> {
  const token = `NX-AT-${randomUUID()}`
  const secret = `NX-ATS-${randomUUID()}`
  const { consumerKey, login, callbackUrl, verifier, durationMinutes } = grant
  const values = {
    token,
    tokenSecret: secret,
    appId: consumerKey,
    callbackUrl,
    platformLogin: login,
    consumerKey,
    verifier,
    durationInMinutes: durationMinutes,
    creationDate: session.now,
    clientToken: false,
    clientId: null,
  }
  const definition = readDirectory(session, accessTokenDirectory)
  await session.tx.directories.insert(accessTokenDirectory, storedEntry(definition, { id: token, values }))
  return { token, secret }
}

/** What was granted by a name must not be the next user's of that name. */
export const removeGrantsOfRemoved: ServerListener = {
  name: 'removeOauth1GrantsOfRemoved',
  events: ['nameReleased'],
  handle: ({ properties }, session) => removeGrants(session, { platformLogin: String(properties['id']) }),
}

/** Nor that of the next consumer which has the key: neither what one leaves that goes, nor what was left to one that is new. */
export const removeGrantsOfConsumers = listenToEntries(
  'removeOauth1GrantsOfConsumers',
  consumerDirectory,
  async ({ before, after }, session) => {
    const changed = before ?? after
    if (changed !== undefined && (before === undefined || after === undefined))
      await removeGrants(session, { consumerKey: changed.id })
  },
)

async function removeGrants(
  session: WriteSession,
  equal: { readonly platformLogin: string } | { readonly consumerKey: string },
): Promise<void> {
  const { directories } = session.tx
  const { entries } = await directories.search(planLookup(readDirectory(session, accessTokenDirectory), equal))
  await directories.removeAll(
    accessTokenDirectory,
    entries.map(({ id }) => id),
  )
}
