import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'quire-tests-'
const enoughBytes = 8 * 2 ** 30
// What lies there is taken from the programs of the tests, which need as much again.
const enoughMemory = 2 * enoughBytes

/**
 * A folder in memory for the files of this run, where the machine has plenty: on a disk, tests wait a fifth of their time for writes to
 * be durable, which none of them can tell. Undefined elsewhere.
 */
export function createMemoryFolder(): string | undefined {
  if (!isRoomy()) return undefined
  for (const left of readdirSync(memory).filter(isLeftBehind)) rmSync(join(memory, left), { recursive: true, force: true })
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder, { mode: 0o755 })
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function isRoomy(): boolean {
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .some((line) => isMemoryWithPrograms(line.split(' ')))
    const { bavail, bsize } = statfsSync(memory)
    return mounted && bavail * bsize >= enoughBytes && process.availableMemory() >= enoughMemory
  } catch {
    return false // No Linux, or nothing that we may look at.
  }
}

/** Tests write programs there and start them. */
function isMemoryWithPrograms([, place, type, options = '']: readonly string[]): boolean {
  return place === memory && type === 'tmpfs' && !options.split(',').includes('noexec')
}

/** Of a run that was killed, and could not clear up. */
function isLeftBehind(name: string): boolean {
  if (!name.startsWith(prefix)) return false
  try {
    process.kill(Number(name.slice(prefix.length)), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
