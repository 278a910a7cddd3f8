import { join, relative, resolve } from 'node:path'
import { type EventData, run } from 'node:test'
import { inspect } from 'node:util'
import { describeTally, type Tally } from './tally.ts'

const root = resolve(import.meta.dirname, '../..')
const filesAtOnce = 2
const fileTimeoutSeconds = 300
const seedsProperties = join(import.meta.dirname, 'property-seed.ts')

// Every file is a process that loads the server; from the cache that takes a second less.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/quire')

/** Runs test files side by side; prints a line for each file, and every failure in full. */
export async function runTestFiles(files: readonly string[]): Promise<Tally> {
  const silent = new Set(files)
  let total: Tally = { passed: 0, failed: 0, skipped: 0 }
  const execArgv = ['--import', seedsProperties]
  const events = run({ files, execArgv, concurrency: filesAtOnce, timeout: fileTimeoutSeconds * 1000 })
  events.on('test:stdout', ({ message }) => process.stdout.write(message))
  events.on('test:stderr', ({ message }) => process.stdout.write(message))
  events.on('test:diagnostic', ({ file, message }) => file === undefined || console.log(message))
  events.on('test:fail', (failure) => {
    silent.delete(failure.name)
    printFailure(failure)
  })
  events.on('test:summary', (summary) => {
    if (summary.file === undefined) total = tallyOf(summary)
    else {
      silent.delete(summary.file)
      console.log(`${nameOf(summary.file)}: ${describeTally(tallyOf(summary))} (${secondsOf(summary.duration_ms)})`)
    }
  })
  for await (const _ of events);
  return withoutSilent(total, silent)
}

/**
 * A file that ran no test, or left with code 0 in the middle of one, counts as one passed test for Node.
 * Here it is a failure: nobody knows what it would have said.
 */
function withoutSilent(total: Tally, silent: ReadonlySet<string>): Tally {
  for (const file of silent) console.log(`FAILED ${nameOf(file)}: ended without reporting a test`)
  return { ...total, passed: total.passed - silent.size, failed: total.failed + silent.size }
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
  const place = `${nameOf(file)}:${line}`
  console.log(name === file ? `\nFAILED ${place}` : `\nFAILED ${place} ${name}`)
  console.log(`${inspect(cause).replaceAll(stackLineOfNode, '$1')}\n`)
}

const stackLineOfNode = /\n +at .*(?:node:|<anonymous>\)).*?( \{)?$/gm

function nameOf(file: string): string {
  return relative(root, file)
}

function secondsOf(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
