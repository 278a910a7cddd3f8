import { hash, randomBytes } from 'node:crypto'
import { createCache } from '../../../base/cache/bounded-cache.ts'
import { newId } from '../../../base/ids.ts'
import { isoDate } from '../../../base/iso-date.ts'
import type { Schedule } from '../../../core/jobs/schedule.ts'
import type { AdmittedUser } from '../../../core/principals/principals.ts'
import type { Principal } from '../../../model/rights/principal.ts'
import type { BrowserRequest, KeptIdentity, SessionKeeper } from '../../../rest/authenticator.ts'
import type { PageOfSomebody } from '../../../rest/management.ts'
import { formatCookie } from '../../../rest/request/cookies.ts'
import type { Services } from '../../../rest/services.ts'
import { type SessionValues, sessionCookieName, sessionSettings } from '../../../rest/session-settings.ts'
import type { Transaction } from '../../../store/store.ts'
import { requestedAnswer } from '../requested-url.ts'
import {
  countInUse,
  countSessionsOf,
  deleteIdle,
  deleteOldestOf,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  noteUse,
  retireSecret,
  type SessionRow,
  sessionById,
  sessionBySecret,
  sessionOf,
  sessionPage,
  sessionsOf,
} from './session-table.ts'

/** The sessions of browsers: stored in the database, so that they outlive a restart and all processes know them. */
export interface BrowserSessions extends SessionKeeper {
  /** Those of a user that are in use, the latest first. */
  list(user: string): Promise<readonly SessionRow[]>
  /** A page of those that are in use, of everybody unless somebody is named, the latest first. */
  listPage(page: PageOfSomebody): Promise<SessionPage>
  findById(id: string): Promise<SessionRow | undefined>
  endById(id: string): Promise<void>
  /** Ends all of a user, but for one. */
  endAllOf(user: string, exceptId?: string): Promise<void>
}

export interface SessionPage {
  /** One that is not valid is refused: its user is gone or has another password. */
  readonly entries: readonly { readonly row: SessionRow; readonly isValid: boolean }[]
  readonly total: number
}

const secretShape = /^[\w-]{43}$/
const maxCached = 10_000
/** Most sessions of one user; the one that was used the longest ago makes way. */
const maxPerUser = 100
const graceMillis = 60_000
const maxShownAgent = 300

/** Whether the browser has, or had, a session; that it is alive is another question. */
export function hasSessionCookie(request: Pick<BrowserRequest, 'cookie'>): boolean {
  return secretShape.test(request.cookie(sessionCookieName) ?? '')
}

interface CachedSession {
  readonly generation: number
  readonly kept: KeptIdentity
  readonly seenAt: number
}

interface SeenOnConnection {
  readonly cookies: string
  readonly key: string
}

export function createBrowserSessions(services: Services): BrowserSessions {
  /**
   * By the digest of the secret. An entry is of one generation of the directories: whatever ends a session, or changes the password or
   * the rights of its user, raises that, and every request asks for it. Ageing ends it, too: then the use is noted.
   */
  const cached = createCache<string, CachedSession>({ maxEntries: maxCached })
  // A browser sends the same cookies with every request of a connection: to read and digest them again would tell nothing new.
  const seen = new WeakMap<object, SeenOnConnection>()
  const store = () => services.directories.store
  let values: SessionValues | undefined

  function settings(): SessionValues {
    values ??= services.valuesOf(sessionSettings)
    return values
  }

  /** So old may be what is known of the last use: a session lives for its time at least, and a tenth longer at most. */
  function slackMillis(): number {
    return settings().sessionTimeout / 10
  }

  function find(request: BrowserRequest): KeptIdentity | undefined | Promise<KeptIdentity | undefined> {
    const key = findKey(request)
    if (key === undefined) return undefined
    const { directories } = store().reader
    const generation = directories.findGeneration()
    if (generation !== undefined) return findOf(request, key, generation)
    return directories.generation().then((read) => findOf(request, key, read))
  }

  function findKey(request: BrowserRequest): string | undefined {
    const cookies = String(request.headers['cookie'] ?? '')
    const before = seen.get(request.connection)
    if (before?.cookies === cookies) return before.key
    const secret = request.cookie(sessionCookieName)
    if (secret === undefined || !secretShape.test(secret)) return undefined
    const key = digestOf(secret)
    seen.set(request.connection, { cookies, key })
    return key
  }

  function findOf(
    request: BrowserRequest,
    key: string,
    generation: number,
  ): KeptIdentity | undefined | Promise<KeptIdentity | undefined> {
    const known = cached.get(key)
    if (known?.generation !== generation || Date.now() - known.seenAt > slackMillis()) return look(request, key)
    const renewed = services.principals.renew(known.kept.principal)
    return renewed === known.kept.principal ? known.kept : look(request, key)
  }

  /** Looks into the table, and does what has to be done to the session now and then. */
  async function look(request: BrowserRequest, key: string): Promise<KeptIdentity | undefined> {
    // The number first: what is read after it is of that generation or a later one.
    const generation = await store().reader.directories.generation()
    const alive = await findAlive(key)
    if (alive === undefined) {
      cached.delete(key)
      return undefined
    }
    const { row: found, admission } = alive
    const { principal } = admission
    const kept = { principal, id: found.id, authenticator: found.authenticator }
    if (found.endsAt !== null) return kept
    if (found.rights !== rightsOf(principal)) return { ...kept, cookies: await replaceSecret(request, found, admission) }
    const seenAt = await keepAlive(found)
    cached.set(key, { generation, kept, seenAt })
    return kept
  }

  async function findAlive(key: string): Promise<{ row: SessionRow; admission: AdmittedUser } | undefined> {
    const stored = await store().reader.tables.get(sessionBySecret(key))
    const row = stored && sessionOf(stored)
    const admission = row && isAlive(row) ? await services.principals.admit(row.user) : undefined
    return row !== undefined && admission?.credential === row.credential ? { row, admission } : undefined
  }

  function isAlive({ lastSeen, endsAt }: SessionRow): boolean {
    const now = Date.now()
    const isIdle = now - Date.parse(lastSeen) > settings().sessionTimeout + slackMillis()
    return !isIdle && (endsAt === null || Date.parse(endsAt) > now)
  }

  async function keepAlive({ secretHash, lastSeen }: SessionRow): Promise<number> {
    const seenAt = Date.parse(lastSeen)
    const now = Date.now()
    if (now - seenAt <= slackMillis()) return seenAt
    await store().transact((tx) => tx.tables.run(noteUse(secretHash, isoDate(new Date(now)))))
    return now
  }

  /**
   * A session whose user has other rights than before goes on under a new secret; requests that are under way may use the old one for a
   * minute. Of several that come at once the first replaces it.
   */
  async function replaceSecret(request: BrowserRequest, row: SessionRow, admission: AdmittedUser): Promise<readonly string[]> {
    const secret = newSecret()
    const endsAt = isoDate(new Date(Date.now() + graceMillis))
    const isFirst = await store().transact(async (tx) => {
      if ((await tx.tables.run(retireSecret(row.secretHash, endsAt))) === 0) return false
      await tx.tables.run(insertSession(continued(row, secret, admission)))
      return true
    })
    return isFirst ? [cookieOf(request, secret)] : []
  }

  async function open(request: BrowserRequest, { name }: Principal, authenticator: string): Promise<readonly string[]> {
    const admission = await services.principals.admit(name)
    const secret = newSecret()
    const now = isoDate(new Date())
    const old = findKey(request)
    const row: SessionRow = {
      secretHash: digestOf(secret),
      id: newId(),
      user: name,
      authenticator,
      credential: admission?.credential ?? '',
      rights: admission === undefined ? '' : rightsOf(admission.principal),
      created: now,
      lastSeen: now,
      endsAt: null,
      address: request.clientAddress,
      userAgent: String(request.headers['user-agent'] ?? '')
        .slice(0, maxShownAgent)
        .toWellFormed(),
    }
    await store().transact(async (tx) => {
      if (old !== undefined) await endBySecret(tx, old)
      const [count] = (await tx.tables.get(countSessionsOf(name))) ?? []
      if (Number(count) >= maxPerUser) await end(tx, deleteOldestOf(name, maxPerUser - 1))
      await tx.tables.run(insertSession(row))
    })
    return [cookieOf(request, secret)]
  }

  async function renew(request: BrowserRequest, { name }: Principal): Promise<readonly string[]> {
    const key = findKey(request)
    const row = key && (await store().reader.tables.get(sessionBySecret(key)))
    const found = row ? sessionOf(row) : undefined
    const admission = found?.user === name && isAlive(found) ? await services.principals.admit(name) : undefined
    if (found === undefined || admission === undefined) {
      await endAllOf(name)
      return []
    }
    const secret = newSecret()
    await store().transact(async (tx) => {
      await end(tx, deleteSessionsOf(name, ''))
      await tx.tables.run(insertSession(continued(found, secret, admission)))
    })
    return [cookieOf(request, secret)]
  }

  function continued(row: SessionRow, secret: string, { credential, principal }: AdmittedUser): SessionRow {
    const lastSeen = isoDate(new Date())
    return { ...row, secretHash: digestOf(secret), credential, rights: rightsOf(principal), lastSeen, endsAt: null }
  }

  function cookieOf(request: BrowserRequest, secret: string): string {
    return formatCookie(sessionCookieName, secret, attributesFor(request))
  }

  function attributesFor({ basePath, baseUrl }: BrowserRequest) {
    return { path: basePath, isSecure: baseUrl.startsWith('https:'), sameSite: settings().sessionSameSite }
  }

  function useSince(): string {
    return isoDate(new Date(Date.now() - settings().sessionTimeout - slackMillis()))
  }

  async function endAllOf(user: string, exceptId = ''): Promise<void> {
    await store().transact((tx) => end(tx, deleteSessionsOf(user, exceptId)))
  }

  return {
    name: 'sessions',
    find,
    async peek(request) {
      const key = findKey(request)
      return key === undefined ? undefined : (await findAlive(key))?.admission.principal
    },
    open,
    renew,
    leadOn: requestedAnswer,
    async end(request) {
      const key = findKey(request)
      if (key !== undefined) await store().transact((tx) => endBySecret(tx, key))
      const gone = { ...attributesFor(request), maxAgeSeconds: 0 }
      const paths = request.basePath === '' ? [''] : [request.basePath, '']
      return paths.map((path) => formatCookie(sessionCookieName, '', { ...gone, path }))
    },
    async list(user) {
      const rows = await store().reader.tables.all(sessionsOf(user, useSince(), maxPerUser))
      const credential = (await services.principals.admit(user))?.credential
      return rows.map(sessionOf).filter((row) => row.credential === credential)
    },
    async listPage(page) {
      const since = useSince()
      const { tables } = store().reader
      const rows = (await tables.all(sessionPage(since, page))).map(sessionOf)
      const [total = 0] = (await tables.get(countInUse(since, page.user))) ?? []
      const credentials = new Map<string, string | undefined>()
      for (const user of new Set(rows.map((row) => row.user)))
        credentials.set(user, (await services.principals.admit(user))?.credential)
      const entries = rows.map((row) => ({ row, isValid: credentials.get(row.user) === row.credential }))
      return { entries, total: Number(total) }
    },
    async findById(id) {
      const row = await store().reader.tables.get(sessionById(id))
      return row && sessionOf(row)
    },
    endById: (id) => store().transact((tx) => end(tx, deleteSession(id))),
    endAllOf,
  }
}

async function endBySecret(tx: Transaction, key: string): Promise<void> {
  const row = await tx.tables.get(sessionBySecret(key))
  if (row !== undefined) await end(tx, deleteSession(sessionOf(row).id))
}

/**
 * Every process that has a session cached asks for the generation, which the lock raises. It comes first, as in all that changes
 * directories: nobody who waits for it has rows that others wait for.
 */
async function end(tx: Transaction, deletion: ReturnType<typeof deleteSession>): Promise<void> {
  await tx.directories.lock()
  await tx.tables.run(deletion)
}

/** Removes what nobody will use again: an hour's worth at a time. */
export function sessionSweep(services: Services): Schedule {
  return {
    name: 'sweepSessions',
    everySeconds: 3_600,
    isShared: true,
    async run({ tx }) {
      const { sessionTimeout } = services.valuesOf(sessionSettings)
      await tx.tables.run(deleteIdle(isoDate(new Date(Date.now() - sessionTimeout * 1.2))))
    },
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

function rightsOf({ groups, isAdministrator }: Principal): string {
  return hash('sha256', JSON.stringify([isAdministrator, groups.toSorted()]), 'base64url')
}
