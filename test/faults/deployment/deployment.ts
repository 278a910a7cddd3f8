import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Balancer, startBalancer } from '../../support/balancer.ts'
import { type DatabasePlace, postgresPlace } from '../../support/database-place.ts'
import { type PostgresPair, startPostgresWithReplica } from '../../support/embedded-postgres.ts'
import { type Program, startProgram } from '../../support/program.ts'
import { quireProgram } from '../../support/quire-program.ts'
import { type S3Server, startS3Server } from '../../support/s3-server.ts'
import { stopProgram } from '../../support/server-programs.ts'

/** Two servers on one PostgreSQL and one object store, behind a balancer: nothing but these is shared. */
export interface Deployment {
  /** Of the balancer. */
  readonly url: string
  readonly servers: readonly DeployedServer[]
  /** Absent where the database is the one that all tests share. */
  readonly postgres: PostgresPair | undefined
  readonly place: DatabasePlace
  isReady(): boolean
  /** Ends all connections to the database at once, but for the one that asks for it. */
  cutConnections(): Promise<void>
  /** Gives what servers have logged, a line each. */
  stop(): Promise<readonly string[]>
}

export interface DeployedServer {
  kill(): Promise<void>
  start(): Promise<void>
}

/** Part of a database that others use as well. */
export interface DeploymentDatabase {
  readonly url: string
  readonly schema: string
}

const count = 2
const startAttempts = 5

/** @param database absent: two servers of its own, the second of which follows the first */
export async function startDeployment(database?: DeploymentDatabase): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-deployment-'))
  const [files, postgres] = await Promise.all([startS3Server(), database === undefined ? startPostgresWithReplica() : undefined])
  const { url, schema } = database ?? { url: postgres?.url ?? '', schema: 'deployed' }
  const place = postgresPlace(folder, url, schema)
  const replica = postgres === undefined ? [] : ['--database-replica-url', postgres.replicaUrl]
  const logged: string[] = []
  // The first makes the tables; the second finds them.
  const servers: HeldServer[] = []
  for (let at = 0; at < count; at++) {
    servers.push(await startServer(at, { folder, flags: [...place.flags.slice(2), ...replica], files, logged }))
  }
  const balancer = await startBalancer(servers.map((server) => server.url))
  const isReady = () => servers.every((_, at) => balancer.isReady(at))
  while (!isReady()) await pause(20)
  return {
    url: balancer.url,
    servers,
    postgres,
    place,
    isReady,
    cutConnections: () => cutConnections(url),
    async stop() {
      await stopAll(servers, balancer)
      await place.close()
      await postgres?.stop()
      await files.stop()
      await rm(folder, { recursive: true, force: true })
      return logged
    },
  }
}

interface HeldServer extends DeployedServer {
  readonly url: string
  stop(): Promise<void>
}

interface ServerWish {
  readonly folder: string
  /** Of the database. */
  readonly flags: readonly string[]
  readonly files: S3Server
  readonly logged: string[]
}

async function startServer(at: number, { folder, flags, files, logged }: ServerWish): Promise<HeldServer> {
  const start = async (port: string): Promise<Program> => {
    const own = ['--port', port, '--log-level', 'warn', '--data', join(folder, `server-${at}`)]
    const blobs = ['--blobs', `s3://files/deployed?endpoint=${files.url}`]
    const started = await startProgram(quireProgram, ['serve', ...own, ...flags, ...blobs], files.variables)
    void started.ended.then(({ complained }) => logged.push(...complained.split('\n').filter((line) => line !== '')))
    return started
  }
  let program = await start('0')
  const { url } = program
  return {
    url,
    async kill() {
      program.kill('SIGKILL')
      await program.ended
    },
    async start() {
      // Somebody's connection may have the port for a moment.
      const again = (attempt: number): Promise<Program> =>
        start(new URL(url).port).catch(async (error: unknown) => {
          if (attempt === startAttempts) throw error
          await pause(500)
          return again(attempt + 1)
        })
      program = await again(1)
    },
    async stop() {
      await stopProgram(program)
    },
  }
}

async function stopAll(servers: readonly HeldServer[], balancer: Balancer): Promise<void> {
  await balancer.stop()
  for (const server of servers) await server.stop()
}

async function cutConnections(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`)
  await client.end()
}
