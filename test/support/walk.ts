import { Session } from 'node:inspector/promises'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../../src/', import.meta.url))
// The test's own client, and what runs once in the life of a process.
const notWalked = ['testing.ts']
const walks = 4
const quietMillis = 20
const quietLooks = 500

/**
 * The files of `src/` that the work passes each time it is done: those of which a function runs. What modules do while they load
 * does not count, nor does what the process does beside the work, nor what is done the first time only.
 */
export async function walkedFiles(work: () => Promise<unknown>): Promise<readonly string[]> {
  await work()
  await work()
  let walked = await walkOnce(work)
  for (let walk = 1; walk < walks; walk += 1) walked = walked.intersection(await walkOnce(work))
  return [...walked].filter((file) => !notWalked.includes(file)).toSorted()
}

async function walkOnce(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    // What is asked again every few seconds is asked now.
    await work()
    await untilQuiet(session)
    await work()
    const walked = await passedFiles(session)
    await session.post('Profiler.stopPreciseCoverage')
    return walked
  } finally {
    session.disconnect()
  }
}

/** Jobs that the work before has left behind must not count for this one. */
async function untilQuiet(session: Session): Promise<void> {
  await passedFiles(session)
  for (let look = 0; look < quietLooks; look += 1) {
    await setTimeout(quietMillis)
    if ((await passedFiles(session)).size === 0) return
  }
  throw new Error(`the server did not come to rest in ${quietLooks * quietMillis} ms`)
}

/** The files of `src/` of which a function has run since the last time this was asked. */
async function passedFiles(session: Session): Promise<ReadonlySet<string>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const paths = result.filter(({ url, functions }) => url.startsWith('file:') && functions.some(hasRun))
  const files = paths.map(({ url }) => fileURLToPath(url)).filter((path) => path.startsWith(source))
  return new Set(files.map((path) => path.slice(source.length)))
}

/** The function without a name that begins with the file is the module itself. */
function hasRun({ functionName, ranges: [whole] }: { functionName: string; ranges: { startOffset: number; count: number }[] }) {
  return whole !== undefined && whole.count > 0 && !(functionName === '' && whole.startOffset === 0)
}
