import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Options, parseOptions, usage } from './options.ts'
import { openPostgresPlaces, type Places, sqlitePlaces } from './place.ts'
import { type LaunchOptions, startQuire } from './quire-process.ts'
import { type Finding, isWithinBound } from './report/finding.ts'
import { growthOf } from './report/growth.ts'
import { jsonOf } from './report/json.ts'
import { markdownOf, type RecordedRun } from './report/markdown.ts'
import { lineOf, tableOf } from './report/table.ts'
import { measureIdleMemory, measureMemoryAfterWork } from './rows/memory.ts'
import { measurePeople, peopleRows } from './rows/people.ts'
import { measureRates, rateRows } from './rows/rates.ts'
import { measureStartUp } from './rows/start-up.ts'
import { prepareSite, type ServedSite, type Site } from './site.ts'

const root = resolve(import.meta.dirname, '..')

const documentRowNames = ['start-up', ...rateRows.map(({ name }) => name)]
const rowNames = [...documentRowNames, ...peopleRows.map(({ name }) => name)]

const options = understand(process.argv.slice(2))
if (options === 'help') console.log(usage)
else if (options.markdown.length > 0) console.log(markdownOf(options.markdown.map(readRun)))
else process.exitCode = await run(options)

function understand(args: readonly string[]): Options | 'help' {
  try {
    return parseOptions(args, rowNames)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

function readRun(file: string): RecordedRun {
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function run(options: Options): Promise<number> {
  const scratch = createScratch()
  const places = options.engine === 'sqlite' ? sqlitePlaces : await openPostgresPlaces(options.databaseUrl)
  try {
    const findings = await measureAll(options, places, scratch)
    console.log(`\n${tableOf(findings)}`)
    if (options.json !== undefined)
      writeFileSync(options.json, jsonOf({ engine: options.engine, seconds: options.seconds, findings }))
    return findings.some(({ measure }) => isWithinBound(measure) === false) ? 1 : 0
  } finally {
    await places.close()
  }
}

/** On the same disk as the checkout: a temporary folder may be in memory, where a commit costs nothing. */
function createScratch(): string {
  mkdirSync(join(root, '.bench'), { recursive: true })
  const scratch = mkdtempSync(join(root, '.bench', 'run-'))
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  return scratch
}

async function measureAll(options: Options, places: Places, scratch: string): Promise<readonly Finding[]> {
  return [...(await measureWithDocuments(options, places, scratch)), ...(await measureWithPeople(options, places, scratch))]
}

async function measureWithDocuments(options: Options, places: Places, scratch: string): Promise<readonly Finding[]> {
  if (!documentRowNames.some((name) => isWanted(options, name))) return []
  const sites: Site[] = []
  for (const files of options.sizes) sites.push(await prepareSite(places, { files, scratch, keepIn: options.data }))
  const startUp = isWanted(options, 'start-up') ? await measureStartUp(places, sites, scratch) : []
  return [...startUp, ...(await measureServed(options, sites))]
}

async function measureWithPeople(options: Options, places: Places, scratch: string): Promise<readonly Finding[]> {
  const rows = peopleRows.filter(({ name }) => isWanted(options, name))
  if (rows.length === 0) return []
  return measurePeople(places, rows, { scratch, seconds: options.seconds, launch: launchOptions(options) })
}

async function measureServed(options: Options, sites: readonly Site[]): Promise<readonly Finding[]> {
  const served: ServedSite[] = []
  try {
    for (const site of sites) served.push({ ...site, server: await startQuire(site.place, launchOptions(options)) })
    const findings: Finding[] = [...(await measureIdleMemory(served))]
    for (const row of rateRows.filter(
      ({ name, engine = options.engine }) => engine === options.engine && isWanted(options, name),
    )) {
      console.error(`measuring ${row.title}`)
      const found = await measureRates(row, served, options.seconds)
      for (const finding of found) console.error(lineOf(finding))
      findings.push(...found)
    }
    return [...findings, ...(await measureMemoryAfterWork(served)), ...growthOf(findings)]
  } finally {
    for (const { server } of served) await server.stop()
  }
}

function launchOptions({ profile }: Options): LaunchOptions {
  const node = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`]
  return { node, server: ['--config', fileURLToPath(new URL('quire.config.ts', import.meta.url))] }
}

function isWanted({ rows }: Options, name: string): boolean {
  return rows.length === 0 || rows.includes(name)
}
