import type { Settings } from '../../builtin-settings.ts'
import { type ExaminedDatabase, examineDatabase } from '../../store/examine-database.ts'
import type { ExaminedReplica, ExaminedTables } from '../../store/postgres/examine-postgres.ts'
import { storePlaceOf } from '../../store/store-settings.ts'
import { advice, type Finding, good, inMegabytes, reasonOf, wrong } from './finding.ts'

export async function examineDatabases(settings: Settings): Promise<readonly Finding[]> {
  try {
    const place = { ...storePlaceOf(settings), dataFolder: settings.data }
    const found = await examineDatabase(place, settings.repositories)
    return found.kind === 'embedded' ? tellEmbedded(found) : tellPostgres(found)
  } catch (error) {
    return [
      wrong({
        about: 'database',
        fact: `it cannot be reached: ${reasonOf(error)}`,
        costs: 'The server does not start, and one that runs answers 503.',
        remedy: 'Start the database, let this machine connect to it, and check QUIRE_DATABASE_URL or --data.',
      }),
    ]
  }
}

function tellEmbedded({ tables, latest }: ExaminedDatabase & { kind: 'embedded' }): readonly Finding[] {
  const made = tables.filter(({ version }) => version !== undefined)
  if (made.length === 0) return [good('database', 'no server has made one in the data folder yet; the first start does.')]
  const sizes = made.map(({ repository, bytes }) => `${repository} has ${inMegabytes(bytes)}`)
  return [good('database', `embedded, ${sizes.join(', ')}.`), ...tellTables(tables, latest)]
}

function tellTables(tables: readonly ExaminedTables[], latest: number): readonly Finding[] {
  return tables.flatMap(({ repository, version = latest }): readonly Finding[] => {
    if (version > latest)
      return [
        wrong({
          about: 'tables',
          fact: `those of ${repository} have version ${version}; this program knows versions up to ${latest}.`,
          costs: 'The server does not start.',
          remedy: 'Start a newer program, or restore a backup from before the upgrade.',
        }),
      ]
    if (version === latest) return []
    return [
      advice({
        about: 'tables',
        fact: `those of ${repository} have version ${version}; this program works with ${latest}.`,
        costs: 'The next start brings them up to date, and there is no way back but a backup.',
        remedy: 'quire backup first; quire upgrade --dry-run says what would be done.',
      }),
    ]
  })
}

function tellPostgres(found: ExaminedDatabase & { kind: 'postgres' }): readonly Finding[] {
  return [
    tellVersion(found),
    ...tellTables(found.tables, found.latest),
    ...tellServer(found),
    tellTrigrams(found),
    tellClock(found),
    ...tellConnections(found),
    ...(found.replica === undefined ? [] : [tellReplica(found.replica)]),
  ]
}

type Postgres = ExaminedDatabase & { kind: 'postgres' }

function tellVersion({ address, version, needed, isNewEnough }: Postgres): Finding {
  if (isNewEnough) return good('database', `PostgreSQL ${version} at ${address}.`)
  return wrong({
    about: 'database',
    fact: `${address} is on PostgreSQL ${version}.`,
    costs: 'The server does not start.',
    remedy: `Upgrade it to PostgreSQL ${needed} or newer.`,
  })
}

function tellServer({ address, isStandby, isEncrypted, unsafe }: Postgres): readonly Finding[] {
  const host = new URL(`postgres://${address}`).hostname
  const isHere = ['localhost', '[::1]', ''].includes(host) || /^127\./.test(host)
  return [
    ...(isStandby
      ? [
          wrong({
            about: 'database',
            fact: `${address} follows another server and takes no writes.`,
            costs: 'Nothing can be changed.',
            remedy: 'Name the server that it follows in QUIRE_DATABASE_URL, and this one in QUIRE_DATABASE_REPLICA_URL.',
          }),
        ]
      : []),
    ...(unsafe.length > 0
      ? [
          wrong({
            about: 'database',
            fact: `it has ${unsafe.join(', ')} off.`,
            costs: 'What was acknowledged may be lost, and the database damaged, when its machine fails.',
            remedy: 'Turn them on in postgresql.conf.',
          }),
        ]
      : []),
    ...(isEncrypted || isHere
      ? []
      : [
          advice({
            about: 'database',
            fact: `the connection to ${address} is not encrypted.`,
            costs: 'Whoever sees the network in between can read documents.',
            remedy: 'Add ?sslmode=verify-full to QUIRE_DATABASE_URL.',
          }),
        ]),
  ]
}

function tellTrigrams({ trigrams }: Postgres): Finding {
  if (trigrams === 'there') return good('pg_trgm', 'the extension is there: texts are found by any part of them.')
  return advice({
    about: 'pg_trgm',
    fact: trigrams === 'possible' ? 'the extension was not created yet.' : 'PostgreSQL has no such extension.',
    costs: 'Searches with LIKE and % in front go through all documents.',
    remedy:
      trigrams === 'possible'
        ? 'The start of a server creates it where it may; else CREATE EXTENSION pg_trgm by an administrator of the database.'
        : 'Install the contributed modules of PostgreSQL (Debian: postgresql-contrib), then CREATE EXTENSION pg_trgm.',
  })
}

const noticedMilliseconds = 1_000
const harmfulMilliseconds = 30_000

function tellClock({ clockMilliseconds: skew }: Postgres): Finding {
  const seconds = (Math.abs(skew) / 1_000).toFixed(1)
  if (Math.abs(skew) < noticedMilliseconds) return good('clock', 'that of the database is the same.')
  const told = {
    about: 'clock',
    fact: `that of the database is ${seconds} s ${skew > 0 ? 'before' : 'behind'} that of this machine.`,
    costs: 'Tokens, locks of work and dates of documents that several servers share are early or late by as much.',
    remedy: 'Have all machines ask the same time servers (chrony, systemd-timesyncd).',
  }
  return Math.abs(skew) < harmfulMilliseconds ? advice(told) : wrong(told)
}

// A process has ten for writing, ten for reading and five for searches in each repository, and one that listens.
const connectionsOfAProcess = 26

function tellConnections({ connections: { used, most } }: Postgres): readonly Finding[] {
  if (most - used >= connectionsOfAProcess) return [good('connections', `${used} of ${most} are in use.`)]
  return [
    advice({
      about: 'connections',
      fact: `${used} of ${most} are in use; one more process may take ${connectionsOfAProcess} for each repository.`,
      costs: 'Requests wait for a connection, and then fail.',
      remedy: 'Raise max_connections, or put PgBouncer in between.',
    }),
  ]
}

const noticedBytes = 16_000_000

function tellReplica(replica: ExaminedReplica): Finding {
  const about = 'replica'
  const { address } = replica
  if (replica.kind === 'unreachable')
    return wrong({
      about,
      fact: `${address} cannot be reached: ${reasonOf(replica.error)}`,
      costs: 'Searches and lists go to the server that it should relieve.',
      remedy: 'Start it, or take QUIRE_DATABASE_REPLICA_URL away.',
    })
  if (!replica.isStandby)
    return wrong({
      about,
      fact: `${address} follows no server.`,
      costs: 'Searches wait for changes that never come, and then go to the other server.',
      remedy: 'Make it a standby of the server in QUIRE_DATABASE_URL.',
    })
  const lag = `${inMegabytes(replica.lagBytes)} and ${replica.lagSeconds.toFixed(1)} s`
  if (replica.lagBytes < noticedBytes) return good(about, `${address} is ${lag} behind.`)
  return advice({
    about,
    fact: `${address} is ${lag} behind.`,
    costs: 'Searches of whoever has changed something go to the other server meanwhile.',
    remedy: 'Look at its disk, at the network in between, and for long queries on it.',
  })
}
