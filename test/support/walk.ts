import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../../src/', import.meta.url))
// The test's own client, and what runs once in the life of a process.
const notWalked = ['testing.ts']
const walks = 4

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
    await session.post('Profiler.takePreciseCoverage')
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    await session.post('Profiler.stopPreciseCoverage')
    const paths = result.filter(({ url, functions }) => url.startsWith('file:') && functions.some(hasRun))
    const files = paths.map(({ url }) => fileURLToPath(url)).filter((path) => path.startsWith(source))
    return new Set(files.map((path) => path.slice(source.length)))
  } finally {
    session.disconnect()
  }
}

/** The function without a name that begins with the file is the module itself. */
function hasRun({ functionName, ranges: [whole] }: { functionName: string; ranges: { startOffset: number; count: number }[] }) {
  return whole !== undefined && whole.count > 0 && !(functionName === '' && whole.startOffset === 0)
}
