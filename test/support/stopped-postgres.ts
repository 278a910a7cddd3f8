import { execFileSync } from 'node:child_process'
import type { DatabasePlace } from './database-place.ts'

/** The processes of a PostgreSQL server that this process started, the first of which is the parent of all others. */
export async function listServerProcesses(place: DatabasePlace): Promise<readonly number[]> {
  const [row] = await place.query('SELECT pg_backend_pid() AS pid')
  const parent = parentOf(Number(row?.['pid']))
  const children = execFileSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' })
  return [parent, ...children.trim().split('\n').map(Number)]
}

export function signalAll(processIds: readonly number[], signal: NodeJS.Signals): void {
  for (const id of processIds) {
    try {
      process.kill(id, signal)
    } catch {
      // it has ended meanwhile
    }
  }
}

function parentOf(processId: number): number {
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(processId)], { encoding: 'utf8' }))
}
