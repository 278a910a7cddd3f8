// `npm test`: types, lint, floors, unused code, then every test on one shared PostgreSQL.
// `npm test -- src/model` runs only the test files whose path contains one of the arguments, and no static checks.
// `npm run quick` is the static checks and the unit tests, without PostgreSQL, for whoever waits.
import { runCheck } from './support/check.ts'
import { startEmbeddedPostgres } from './support/embedded-postgres.ts'
import { createMemoryFolder } from './support/memory-folder.ts'
import { unpackBrowser } from './support/npm-browser.ts'
import { beQuick } from './support/quick.ts'
import { bundleProgram } from './support/quire-program.ts'
import { shareOriginals } from './support/shared-originals.ts'
import { addTallies, describeTally, type Tally } from './support/tally.ts'
import { listQuickFiles, listTestFiles, needsBrowser, needsPostgres, needsPrograms } from './support/test-files.ts'
import { runTestFiles, runWithSecondTries } from './support/test-run.ts'

const namesOfChecks = ['types', 'lint', 'floors', 'unused']
const isQuickRun = process.argv.includes('--quick')
if (isQuickRun) beQuick()
const filters = process.argv.slice(2).filter((argument) => argument !== '--quick')
const files = isQuickRun ? listQuickFiles() : listTestFiles(filters)
if (files.length === 0) {
  console.error(`No test file matches ${filters.join(' ')}`)
  process.exit(1)
}

const memoryFolder = process.env['TMPDIR'] === undefined ? createMemoryFolder() : undefined
if (memoryFolder !== undefined) process.env['TMPDIR'] = memoryFolder
// Programs that tests start make no thumbnails either, unless a test asks for that.
process.env['QUIRE_CONVERSION_IN_BACKGROUND'] ??= 'false'
const postgres = sharedPostgres()
const bundle = files.some(needsPrograms) ? bundleProgram() : undefined
// Where it cannot be unpacked, tests say why they are skipped.
const browser = files.some(needsBrowser) ? unpackBrowser().catch(() => undefined) : undefined
const checks = filters.length === 0 ? runChecks() : []
// Whoever waits has both cores busy all the time; else tests that measure time have the machine to themselves.
if (!isQuickRun) await checks
const [checked, tested] = await Promise.all([checks, runTests()])
await (await postgres)?.stop()

const total = addTallies([...checked, tested])
process.exitCode = total.failed === 0 ? 0 : 1
console.log(`\n${describeTally(total)}`)

async function sharedPostgres() {
  if (process.env['QUIRE_TEST_POSTGRES_URL'] !== undefined || isQuickRun || !files.some(needsPostgres)) return undefined
  const server = await startEmbeddedPostgres()
  process.env['QUIRE_TEST_POSTGRES_URL'] = server.url
  // Databases that are left on it are gone with it.
  shareOriginals()
  return server
}

function runChecks(): Promise<Tally[]> {
  return Promise.all(namesOfChecks.map(runCheck))
}

async function runTests(): Promise<Tally> {
  await Promise.all([postgres, bundle, browser])
  const started = performance.now()
  const tally = await (filters.length === 0 ? runWithSecondTries : runTestFiles)(files)
  console.log(`${describeTally(tally)} in ${files.length} files (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  return tally
}
