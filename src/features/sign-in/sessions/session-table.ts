import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { TableMigration, TableRow } from '../../../store/tables.ts'

/** A session as it is stored. Its cookie is known by a digest only: who reads the table can use none of it. */
export interface SessionRow {
  readonly secretHash: string
  /** For who lists and ends sessions; one that goes on under a new secret keeps it. */
  readonly id: string
  readonly user: string
  readonly authenticator: string
  /** Of who had the name and what was stored of the password when the session began: it ends with either. */
  readonly credential: string
  /** Of the rights that the user had when the secret was made. */
  readonly rights: string
  readonly created: string
  readonly lastSeen: string
  /** The secret gave way to another: until then requests that are under way may use it. */
  readonly endsAt: string | null
  readonly address: string
  readonly userAgent: string
}

export const sessionTables: readonly TableMigration[] = [
  {
    version: 1,
    statements: ({ text }) => [
      `CREATE TABLE sign_in_sessions (secret_hash ${text} PRIMARY KEY, id ${text} NOT NULL, user_name ${text} NOT NULL,
         authenticator ${text} NOT NULL, credential ${text} NOT NULL, rights ${text} NOT NULL, created ${text} NOT NULL,
         last_seen ${text} NOT NULL, ends_at ${text}, address ${text} NOT NULL, user_agent ${text} NOT NULL)`,
      'CREATE INDEX sign_in_sessions_by_id ON sign_in_sessions (id)',
      'CREATE INDEX sign_in_sessions_by_user ON sign_in_sessions (user_name, last_seen)',
      'CREATE INDEX sign_in_sessions_by_use ON sign_in_sessions (last_seen)',
    ],
  },
]

const columns = sql`secret_hash, id, user_name, authenticator, credential, rights, created, last_seen, ends_at, address, user_agent`

export function sessionOf(row: TableRow): SessionRow {
  const [secretHash, id, user, authenticator, credential, rights, created, lastSeen, endsAt, address, userAgent] = row.map(
    (value) => (value === null ? null : String(value)),
  )
  return {
    secretHash: secretHash ?? '',
    id: id ?? '',
    user: user ?? '',
    authenticator: authenticator ?? '',
    credential: credential ?? '',
    rights: rights ?? '',
    created: created ?? '',
    lastSeen: lastSeen ?? '',
    endsAt: endsAt ?? null,
    address: address ?? '',
    userAgent: userAgent ?? '',
  }
}

/** Served by the primary key. */
export const sessionBySecret = (secretHash: string): Sql =>
  sql`SELECT ${columns} FROM sign_in_sessions WHERE secret_hash = ${secretHash}`

/** Served by sign_in_sessions_by_id. Of the two secrets that one may have for a minute, the one that stays. */
export const sessionById = (id: string): Sql => sql`SELECT ${columns} FROM sign_in_sessions WHERE id = ${id} AND ends_at IS NULL`

/** Those that are in use, the latest first. Served by sign_in_sessions_by_user. */
export const sessionsOf = (user: string, since: string, limit: number): Sql => sql`
  SELECT ${columns} FROM sign_in_sessions
   WHERE user_name = ${user} AND last_seen >= ${since} AND ends_at IS NULL
   ORDER BY last_seen DESC, secret_hash LIMIT ${limit}`

const inUse = (since: string, user: string | undefined): Sql =>
  user === undefined
    ? sql`last_seen >= ${since} AND ends_at IS NULL`
    : sql`user_name = ${user} AND last_seen >= ${since} AND ends_at IS NULL`

/** A page of those that are in use, of everybody or of one user, the latest first. Served by sign_in_sessions_by_use or …_by_user. */
export const sessionPage = (
  since: string,
  { user, offset, limit }: { readonly user?: string; readonly offset: number; readonly limit: number },
): Sql => sql`
  SELECT ${columns} FROM sign_in_sessions WHERE ${inUse(since, user)}
   ORDER BY last_seen DESC, secret_hash LIMIT ${limit} OFFSET ${offset}`

/** The same index. */
export const countInUse = (since: string, user: string | undefined): Sql =>
  sql`SELECT count(*) FROM sign_in_sessions WHERE ${inUse(since, user)}`

/** Served by sign_in_sessions_by_user. */
export const countSessionsOf = (user: string): Sql => sql`SELECT count(*) FROM sign_in_sessions WHERE user_name = ${user}`

export const insertSession = (row: SessionRow): Sql => sql`
  INSERT INTO sign_in_sessions (${columns})
  VALUES (${row.secretHash}, ${row.id}, ${row.user}, ${row.authenticator}, ${row.credential}, ${row.rights}, ${row.created},
          ${row.lastSeen}, ${row.endsAt}, ${row.address}, ${row.userAgent})`

/** Served by the primary key. A later use that another process noted stays. */
export const noteUse = (secretHash: string, now: string): Sql =>
  sql`UPDATE sign_in_sessions SET last_seen = ${now} WHERE secret_hash = ${secretHash} AND last_seen < ${now}`

/** Changes nothing when another request has replaced the secret. */
export const retireSecret = (secretHash: string, endsAt: string): Sql =>
  sql`UPDATE sign_in_sessions SET ends_at = ${endsAt} WHERE secret_hash = ${secretHash} AND ends_at IS NULL`

/** Served by sign_in_sessions_by_id. */
export const deleteSession = (id: string): Sql => sql`DELETE FROM sign_in_sessions WHERE id = ${id}`

/** Served by sign_in_sessions_by_user. */
export const deleteSessionsOf = (user: string, exceptId: string): Sql =>
  sql`DELETE FROM sign_in_sessions WHERE user_name = ${user} AND id <> ${exceptId}`

/** All but the latest of a user. Served by sign_in_sessions_by_user. */
export const deleteOldestOf = (user: string, kept: number): Sql => sql`
  DELETE FROM sign_in_sessions WHERE secret_hash IN (
    SELECT secret_hash FROM sign_in_sessions WHERE user_name = ${user}
     ORDER BY last_seen DESC, secret_hash LIMIT 1000 OFFSET ${kept})`

/** A password that is stored in another way is still the same password. Served by sign_in_sessions_by_user. */
export const replaceCredential = (user: string, before: string, after: string): Sql =>
  sql`UPDATE sign_in_sessions SET credential = ${after} WHERE user_name = ${user} AND credential = ${before}`

/** Served by sign_in_sessions_by_use. */
export const deleteIdle = (before: string): Sql => sql`DELETE FROM sign_in_sessions WHERE last_seen < ${before}`
