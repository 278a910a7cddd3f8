import pg from 'pg'
import { addressOf, neededVersion } from './postgres-store.ts'

/** The tables of a repository: their version, or that there are none. */
export interface ExaminedTables {
  readonly repository: string
  /** Undefined where no server has made any. */
  readonly version: number | undefined
}

export interface ExaminedPostgres {
  /** Without the password. */
  readonly address: string
  readonly version: string
  /** The oldest that will do, and whether it is that or newer. */
  readonly needed: number
  readonly isNewEnough: boolean
  readonly isEncrypted: boolean
  /** It follows another server, and takes no writes. */
  readonly isStandby: boolean
  readonly trigrams: 'there' | 'possible' | 'missing'
  /** Settings of the server by which what was committed can be lost. */
  readonly unsafe: readonly string[]
  readonly connections: { readonly used: number; readonly most: number }
  /** How far its clock is before that of this machine. */
  readonly clockMilliseconds: number
  readonly tables: readonly ExaminedTables[]
  readonly replica?: ExaminedReplica
}

export type ExaminedReplica =
  | {
      readonly kind: 'reached'
      readonly address: string
      readonly isStandby: boolean
      /** What it has yet to do of what its server had done. */
      readonly lagBytes: number
      readonly lagSeconds: number
    }
  | { readonly kind: 'unreachable'; readonly address: string; readonly error: string }

const patienceMilliseconds = 5_000

interface Wanted {
  readonly replicaUrl: string | undefined
  readonly schemas: readonly { readonly repository: string; readonly schema: string }[]
}

/** What a server has to know before it relies on a database. @throws what the driver throws */
export function examinePostgres(url: string, { replicaUrl, schemas }: Wanted): Promise<ExaminedPostgres> {
  return connected(url, async (client) => {
    const before = Date.now()
    const { rows } = await client.query(factsStatement)
    const [facts] = rows
    const middle = (before + Date.now()) / 2
    const tables: ExaminedTables[] = []
    for (const { repository, schema } of schemas) tables.push({ repository, version: await versionIn(client, schema) })
    return {
      address: addressOf(url),
      version: facts.version,
      needed: neededVersion,
      isNewEnough: facts.number >= neededVersion * 10_000,
      isEncrypted: facts.encrypted === true,
      isStandby: facts.standby,
      trigrams: facts.trigrams > 0 ? 'there' : facts.possible > 0 ? 'possible' : 'missing',
      unsafe: facts.unsafe ?? [],
      connections: { used: facts.used, most: facts.most },
      clockMilliseconds: Math.round(facts.clock - middle),
      tables,
      ...(replicaUrl !== undefined && { replica: await examineReplica(client, replicaUrl) }),
    }
  })
}

const factsStatement = `
  SELECT current_setting('server_version') AS version,
         current_setting('server_version_num')::integer AS number,
         CAST(extract(epoch FROM clock_timestamp()) * 1000 AS float8) AS clock,
         pg_is_in_recovery() AS standby,
         (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS encrypted,
         (SELECT count(*)::integer FROM pg_extension WHERE extname = 'pg_trgm') AS trigrams,
         (SELECT count(*)::integer FROM pg_available_extensions WHERE name = 'pg_trgm') AS possible,
         (SELECT array_agg(name::text ORDER BY name) FROM pg_settings
           WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off') AS unsafe,
         (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
         current_setting('max_connections')::integer AS most`

async function connected<Result>(url: string, body: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patienceMilliseconds,
    query_timeout: patienceMilliseconds,
    application_name: 'quire doctor',
  })
  // A connection that breaks fails the query; without a listener it would end the process, too.
  client.on('error', () => {})
  try {
    await client.connect()
    return await body(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function versionIn(client: pg.Client, schema: string): Promise<number | undefined> {
  const table = `${pg.escapeIdentifier(schema)}.schema_version`
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS there', [table])
  if (rows[0].there !== true) return undefined
  return Number((await client.query(`SELECT max(version) AS version FROM ${table}`)).rows[0].version ?? 0)
}

/** Where the replica is behind what the server had committed a moment ago. */
async function examineReplica(server: pg.Client, url: string): Promise<ExaminedReplica> {
  const address = addressOf(url)
  try {
    const { position } = (await server.query('SELECT pg_current_wal_lsn()::text AS position')).rows[0]
    return await connected(url, async (replica) => {
      const [found] = (await replica.query(replicaStatement, [position])).rows
      const lagBytes = Math.max(0, Number(found.lag ?? 0))
      return {
        kind: 'reached',
        address,
        isStandby: found.standby,
        lagBytes,
        lagSeconds: lagBytes === 0 ? 0 : Number(found.seconds ?? 0),
      }
    })
  } catch (error) {
    return { kind: 'unreachable', address, error: error instanceof Error ? error.message : String(error) }
  }
}

const replicaStatement = `
  SELECT pg_is_in_recovery() AS standby,
         CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()) END AS lag,
         extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) AS seconds`
