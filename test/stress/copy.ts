import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestServer } from '../../src/testing.ts'
import { fillRandomly } from '../moving/archives/random-repository.ts'
import { compareArchives } from '../moving/compare-archives.ts'
import { type DatabasePlace, postgresPlace, sqlitePlace } from '../support/database-place.ts'
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts'
import { anonymousMegabytes } from '../support/process-memory.ts'
import { launchProgram, type Outcome } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'
import { startS3Server } from '../support/s3-server.ts'
import { fillShelves } from './shelves.ts'

export interface CopyStress {
  readonly documents: number
  /** Different contents; all documents have one of them. */
  readonly files: number
  readonly seed: number
}

/** What a server is told to find its data. */
interface Place {
  readonly flags: readonly string[]
  readonly database: DatabasePlace
}

/**
 * Copies so many documents with files from an embedded database and a folder to PostgreSQL and an object store, by commands of which some are
 * killed, and back to another folder. Gives whether all three export the same.
 */
export async function stressCopy({ documents, files, seed }: CopyStress): Promise<boolean> {
  console.log(`${documents} documents with ${files} files copied there and back, seed ${seed}`)
  const folder = await mkdtemp(join(tmpdir(), 'quire-stress-'))
  const [postgres, store] = await Promise.all([startEmbeddedPostgres('full'), startS3Server()])
  const blobs = `s3://files/copied?endpoint=${store.url}`
  const embedded = (name: string): Place => ({
    flags: ['--data', join(folder, name)],
    database: sqlitePlace(join(folder, name)),
  })
  const [source, back] = [embedded('source'), embedded('back')]
  const database = postgresPlace(join(folder, 'middle'), postgres.url, 'copied')
  const middle: Place = { flags: [...database.flags, '--blobs', blobs], database }
  const run = (args: readonly string[]) => watchProgram(args, store.variables)
  try {
    await fill(source.database, { documents, files, seed })
    const stored = () => store.bucket('files').objects.size
    await copyKilled('SQLite and a folder to PostgreSQL and S3', run, [source, middle], documents, [
      async () => (await countDocuments(database)) > documents / 2,
      async () => stored() > files / 2,
    ])
    await copyKilled('PostgreSQL and S3 to SQLite and a folder', run, [middle, back], documents, [
      async () => (await countDocuments(back.database)) > documents / 2,
    ])
    const archives = await exportAll(folder, run, { source, middle, back })
    return await isSameAll(archives)
  } finally {
    await database.close()
    await postgres.stop()
    await store.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function fill(place: DatabasePlace, { documents, files, seed }: CopyStress): Promise<void> {
  const started = performance.now()
  const server = await startTestServer({ settings: place.settings })
  try {
    await fillRandomly(server, { seed, steps: 200 })
    await fillShelves(server, documents, (number) => Math.floor((number * files) / documents))
  } finally {
    await server.stop()
  }
  console.log(`  filled in ${secondsSince(started).toFixed(1)} s`)
}

interface Watched {
  readonly outcome: Promise<Outcome>
  kill(): void
  /** The most memory that it was seen to have, without the pages of database files. */
  peak(): number
}

const betweenLooksMilliseconds = 200

function watchProgram(args: readonly string[], variables: Readonly<Record<string, string>>): Watched {
  const program = launchProgram(quireProgram, args, variables)
  let peak = 0
  const watching = setInterval(() => {
    try {
      peak = Math.max(peak, anonymousMegabytes(program.startedId) || 0)
    } catch {
      // it has ended
    }
  }, betweenLooksMilliseconds)
  return {
    outcome: program.ended.finally(() => clearInterval(watching)),
    kill: () => program.kill('SIGKILL'),
    peak: () => peak,
  }
}

const prefixed = ({ flags }: Place, prefix: string) => flags.map((flag) => flag.replace(/^--/, `--${prefix}-`))

/** Each of the conditions kills one command; the last command runs to its end. */
async function copyKilled(
  way: string,
  run: (args: readonly string[]) => Watched,
  [from, to]: readonly [Place, Place],
  documents: number,
  conditions: readonly (() => Promise<boolean>)[],
): Promise<void> {
  const args = ['copy', '--json', '--log-level', 'error', ...prefixed(from, 'from'), ...prefixed(to, 'to')]
  let [total, peak] = [0, 0]
  for (const isFarEnough of [...conditions, undefined]) {
    const started = performance.now()
    const program = run(args)
    const isKilled = isFarEnough !== undefined && (await killWhen(program, isFarEnough))
    const { code, printed, complained } = await program.outcome
    const seconds = secondsSince(started)
    total += seconds
    peak = Math.max(peak, program.peak())
    console.log(
      `  ${way}: ${isKilled ? 'killed' : 'ended'} after ${seconds.toFixed(1)} s, at most ${program.peak().toFixed(0)} MB`,
    )
    if (isKilled) continue
    if (code !== 0) throw new Error(complained || printed)
    const { rounds, added, files } = JSON.parse(printed)
    const what = `${rounds} looks, ${added} rows and ${files?.copied ?? 0} files brought by the last command`
    console.log(
      `  ${way}: ${total.toFixed(1)} s in all, ${Math.round(documents / total)} documents/s, at most ${peak.toFixed(0)} MB; ${what}`,
    )
    return
  }
}

/** Gives whether it was killed; one that has ended before cannot be. */
async function killWhen(program: Watched, isFarEnough: () => Promise<boolean>): Promise<boolean> {
  let isOver = false
  void program.outcome.then(() => {
    isOver = true
  })
  // What is asked for may not be there yet.
  while (!isOver && !(await isFarEnough().catch(() => false))) await pause(betweenLooksMilliseconds)
  if (isOver) return false
  program.kill()
  return true
}

async function countDocuments(place: DatabasePlace): Promise<number> {
  return Number((await place.query('SELECT count(*) AS n FROM documents'))[0]?.['n'])
}

async function exportAll(
  folder: string,
  run: (args: readonly string[]) => Watched,
  places: Readonly<Record<string, Place>>,
): Promise<readonly string[]> {
  const archives: string[] = []
  for (const [name, place] of Object.entries(places)) {
    const archive = join(folder, `${name}.zip`)
    const program = run(['export', '/', archive, '--json', '--log-level', 'error', ...place.flags])
    const { code, printed, complained } = await program.outcome
    if (code !== 0) throw new Error(complained || printed)
    const { parts, seconds } = JSON.parse(printed)
    const speed = `${Math.round(parts.documents.lines / seconds)} documents/s`
    console.log(`  ${name} exported in ${seconds.toFixed(1)} s, ${speed}, at most ${program.peak().toFixed(0)} MB`)
    archives.push(archive)
  }
  return archives
}

async function isSameAll([source = '', middle = '', back = '']: readonly string[]): Promise<boolean> {
  let isSame = true
  for (const [name, other] of Object.entries({ middle, back })) {
    const { lines, files, differences } = await compareArchives(source, other)
    for (const difference of differences) console.log(`  ${difference}`)
    const isSound = differences.length === 0
    console.log(`${isSound ? 'ok    ' : 'FAILED'} source and ${name}: ${lines} records and ${files} files compared`)
    isSame &&= isSound
  }
  return isSame
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1_000
}
