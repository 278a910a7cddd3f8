import { createHash } from 'node:crypto'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import type { SqlConnection, SqlRow, SqlStatement } from '../sql/connection.ts'
import type { StatementPipeline } from './batched-lookups.ts'
import { problemOfPostgres } from './postgres-errors.ts'
import type { ServerWatch } from './server-watch.ts'
import type { SharedConnection, SharedConnections } from './shared-connections.ts'

// smallint, integer and bigint; no number of ours is beyond 2^53. All else stays text: the statements' readers parse it.
const numberTypes: ReadonlySet<number> = new Set([21, 23, 20])
const types = { getTypeParser: (type: number) => (numberTypes.has(type) ? Number : asText) }

function asText(text: string): string {
  return text
}

/** The server as everything knows it that talks to it. */
export interface PostgresServer {
  /** For messages: without the password. */
  readonly address: string
  readonly watch: ServerWatch
  readonly sharing: SharedConnections
}

/** Statements on one connection. */
export function connectionOver(client: PoolClient, server: PostgresServer): SqlConnection {
  return connectionOf((statement) => asking(server, client, () => send(client, statement, server.sharing.find(client))))
}

/** Statements on any connection of a pool, each for itself. */
export function connectionOverPool(pool: Pool, server: PostgresServer): SqlConnection {
  return connectionOf(async (statement) => {
    const [answer] = await onAny(pool, server, [statement])
    if (answer === undefined) throw new Error('A statement has an answer.')
    return answer
  })
}

/** The same for statements that run in no transaction and name their schema. */
export function bareConnectionOverPool(pool: Pool, server: PostgresServer): SqlConnection {
  return connectionOf((statement) => withClient(pool, server, (client) => send(client, statement, bare)))
}

const bare: SharedConnection = { preamble: '', knowsNames: false }

/** Statements that are sent at once, on any connection of a pool, and run one after the other. Gives the rows of each. */
export function pipelineOverPool(pool: Pool, server: PostgresServer): StatementPipeline {
  return async (statements) => (await onAny(pool, server, statements)).map(({ rows }) => rows)
}

type Answer = Awaited<ReturnType<typeof send>>

function connectionOf(query: (statement: SqlStatement) => Promise<Answer>): SqlConnection {
  return {
    all: async (statement) => (await query(statement)).rows,
    get: async (statement): Promise<SqlRow | undefined> => (await query(statement)).rows[0],
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  }
}

function send(client: PoolClient, { text, values }: SqlStatement, shared: SharedConnection | undefined) {
  gatherPackets(client)
  const name = shared?.knowsNames === false ? undefined : nameOf(text)
  return client.query<(string | number | null)[]>({ name, text, values, types, rowMode: 'array' })
}

/**
 * What is sent before anything is waited for leaves as one packet. Each packet takes as much time as a short statement, here and at the
 * server, which is woken by it.
 */
function gatherPackets({ connection: { stream } }: PoolClient): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Sends statements at once on any connection of the pool. */
function onAny(pool: Pool, server: PostgresServer, statements: readonly SqlStatement[]): Promise<readonly Answer[]> {
  return withClient(pool, server, async (client) => {
    const shared = server.sharing.find(client)
    const sendAll = () => statements.map((statement) => send(client, statement, shared))
    return answersOf(
      await (shared === undefined ? Promise.allSettled(sendAll()) : inTransaction(client, shared, statements, sendAll)),
    )
  })
}

/**
 * The settings of a shared connection last for a transaction, so there is one for every look. It goes out at once with what it is for;
 * but a write waits until it has begun, as without it there would be another schema to write to.
 */
async function inTransaction(
  client: PoolClient,
  { preamble }: SharedConnection,
  statements: readonly SqlStatement[],
  sendAll: () => readonly Promise<Answer>[],
): Promise<readonly PromiseSettledResult<Answer>[]> {
  const begun = client.query(`BEGIN; ${preamble}`)
  begun.catch(() => {})
  if (!statements.every(isLookUp)) await begun.catch((error: unknown) => rollBack(client, error))
  const sent = sendAll()
  const ended = client.query('COMMIT')
  // Told below, once all have answered.
  ended.catch(() => {})
  const answered = await Promise.allSettled(sent)
  await Promise.all([begun, ended])
  return answered
}

async function rollBack(client: PoolClient, error: unknown): Promise<never> {
  await client.query('ROLLBACK')
  throw error
}

function answersOf(settled: readonly PromiseSettledResult<Answer>[]): readonly Answer[] {
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

/** Anything that does not begin so may write, also when it gives rows. */
export function isLookUp({ text }: SqlStatement): boolean {
  return /^\s*SELECT\b/i.test(text)
}

async function withClient<Result>(
  pool: Pool,
  server: PostgresServer,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await takeClient(pool, server)
  let isBroken = false
  try {
    return await server.watch.awaitAnswer(client, () => work(client))
  } catch (error) {
    isBroken = !(error instanceof DatabaseError)
    throw problemOfPostgres(error, server.address) ?? error
  } finally {
    client.release(isBroken)
  }
}

/** A connection of the pool, which gets it back by `release`. @throws databaseUnreachable, databaseUnusable */
export function takeClient(pool: Pool, { address }: PostgresServer): Promise<PoolClient> {
  return translatingErrors(address, () => pool.connect())
}

/** @throws databaseUnreachable, databaseUnusable, databaseFull, databaseLocked when it fails for want of the server. */
export function asking<Result>(server: PostgresServer, client: PoolClient, work: () => Promise<Result>): Promise<Result> {
  gatherPackets(client)
  return translatingErrors(server.address, () => server.watch.awaitAnswer(client, work))
}

async function translatingErrors<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw problemOfPostgres(error, address) ?? error
  }
}

// The server has a named statement for as long as the connection lives, so only so many texts get a name, and none gives its name up.
const maxNames = 1_000
/** A declared memo: the name of a text follows from it. */
const names = new Map<string, string>()

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  names.set(text, name)
  return name
}
