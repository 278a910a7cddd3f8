import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type EventData, run } from 'node:test'
import { inspect } from 'node:util'
import type { Tally } from './tally.ts'
import { testFileName } from './test-files.ts'

interface FileTally extends Tally {
  readonly failedFiles: ReadonlySet<string>
  /** Of those, the ones that told of no test. */
  readonly silentFiles: ReadonlySet<string>
}

const root = resolve(import.meta.dirname, '../..')
// Two more than the cores of the machines that this runs on: tests wait for other programs a good part of their time.
const processesAtOnce = 4
// Loading the server and warming it up takes two seconds of each process. Tests beside what they test leave next to nothing in its memory, and
// need no more processes than run at once.
const suitesInProcess = 28
const groupFolder = join(root, 'node_modules/.cache/quire-tests')
const preloads = ['untracked-promises.ts', 'property-seed.ts', 'quick-passwords.ts'].map((file) =>
  join(import.meta.dirname, file),
)

// Every process loads the server; from the cache that takes a second less.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/quire')

// A process that starts and stops some twenty servers grows by much and gives it back. With room from the start it collects less often, for three
// hundredths of its processor time less.
const roomyHeap = ['--initial-old-space-size=1000', '--min-semi-space-size=16']

/** More than these failing at once is no accident of a busy machine. */
const secondTriesAtMost = 10

/**
 * Runs test files side by side, some of them in each process; prints a line for each file, and every failure in full. A file that
 * fails beside the others is tried once more with the machine to itself, and called unsteady if that passes: a fault in what it tests
 * fails twice, and whoever reads the report sees both.
 */
export async function runWithSecondTries(files: readonly string[]): Promise<Tally> {
  const first = await runTestFiles(files)
  const again = files.filter((file) => first.failedFiles.has(testFileName(file)))
  // Of a process that died it is not known which of its files it died of, nor whether the others are sound.
  const asserted = again.filter((file) => !first.silentFiles.has(testFileName(file)))
  if (again.length === 0 || asserted.length > secondTriesAtMost || again.length > suitesInProcess + secondTriesAtMost)
    return first
  console.log(`\nOnce more, by itself: ${again.map(testFileName).join(', ')}\n`)
  const second = await runTestFiles(again, 1)
  const unsteady = again.map(testFileName).filter((name) => !second.failedFiles.has(name))
  for (const name of unsteady) console.log(`UNSTEADY ${name}: failed once, then passed`)
  return { ...first, passed: first.passed + first.failed - second.failed, failed: second.failed }
}

export async function runTestFiles(files: readonly string[], atOnce = processesAtOnce): Promise<FileTally> {
  const failedFiles = new Set<string>()
  const silent = new Set(files.map(testFileName))
  const groups = writeGroups(files)
  let total: Tally = { passed: 0, failed: 0, skipped: 0 }
  let testsInFile = 0
  const events = run({
    files: groups,
    execArgv: ['--conditions=quire-source', ...roomyHeap, ...preloads.flatMap((file) => ['--import', file])],
    concurrency: atOnce,
  })
  events.on('test:stdout', ({ message }) => process.stdout.write(message))
  events.on('test:stderr', ({ message }) => process.stdout.write(message))
  const count = ({ name, nesting, details, skip }: EventData.TestPass | EventData.TestFail, outcome: string) => {
    // A suite that is skipped whole, for a reason that it gives, tells of none of its tests.
    if (details.type !== 'suite' || skip !== undefined) testsInFile += 1
    if (nesting > 0 || !silent.has(name)) return
    // The tests of a file come before the file itself.
    if (testsInFile > 0) silent.delete(name)
    console.log(`${name}: ${testsInFile} tests ${outcome} (${(details.duration_ms / 1000).toFixed(1)} s)`)
    testsInFile = 0
  }
  events.on('test:pass', (passed) => count(passed, 'passed'))
  events.on('test:fail', (failed) => {
    printFailure(failed)
    count(failed, 'run, SOME FAILED')
    if (failed.nesting === 0) failedFiles.add(failed.name)
  })
  events.on('test:summary', (summary) => {
    if (summary.file === undefined) total = tallyOf(summary)
  })
  for await (const _ of events);
  return { ...withoutSilent(total, silent), failedFiles: failedFiles.union(silent), silentFiles: silent }
}

/** For each process a file that declares the tests of its share. */
function writeGroups(files: readonly string[]): readonly string[] {
  rmSync(groupFolder, { recursive: true, force: true })
  mkdirSync(groupFolder, { recursive: true })
  const isSuite = (file: string) => testFileName(file).startsWith('test/')
  const groups = [...dealOut(files.filter(isSuite), suitesInProcess), ...dealOut(files.filter((file) => !isSuite(file)))]
  const declaring = JSON.stringify(join(import.meta.dirname, 'test-group.ts'))
  return groups.map((group, index) => {
    const file = join(groupFolder, `group-${index + 1}.mjs`)
    writeFileSync(file, `import { declareTests } from ${declaring}\ndeclareTests(${JSON.stringify(group, undefined, 2)})\n`)
    return file
  })
}

/** Neighbours go to different processes: they take long, or wait for other programs, for the same reasons. */
function dealOut(files: readonly string[], most = files.length): readonly (readonly string[])[] {
  const size = Math.min(most, Math.ceil(files.length / processesAtOnce))
  const count = size === 0 ? 0 : Math.ceil(files.length / size)
  return Array.from({ length: count }, (_, share) => files.filter((_, index) => index % count === share))
}

/**
 * A file that ran no test, or whose process left with code 0 in the middle, is no failure for Node. Here it is one: nobody knows what
 * it would have said.
 */
function withoutSilent(total: Tally, silent: ReadonlySet<string>): Tally {
  for (const name of silent) console.log(`FAILED ${name}: ended without reporting a test`)
  return { ...total, failed: total.failed + silent.size }
}

function tallyOf({ counts }: EventData.TestSummary): Tally {
  return {
    passed: counts.passed,
    failed: counts.tests - counts.passed - counts.skipped - counts.todo,
    skipped: counts.skipped + counts.todo,
  }
}

function printFailure({ name, file = '', line, details }: EventData.TestFail): void {
  const { failureType, cause } = details.error as Error & { failureType?: string }
  if (failureType === 'subtestsFailed') return
  console.log(`\nFAILED ${testFileName(file)}:${line} ${name}`)
  console.log(`${inspect(cause).replaceAll(stackLineOfNode, '$1')}\n`)
}

const stackLineOfNode = /\n +at .*(?:node:|<anonymous>\)).*?( \{)?$/gm
