import { readFileSync } from 'node:fs'
import { childrenOf } from '../test/support/process-family.ts'

// Linux counts in ticks of a hundredth of a second, whatever the machine: USER_HZ.
const ticksInSecond = 100

/**
 * Processor time that all threads of a process have had so far, and all processes that it has started: long searches run in processes
 * of their own. Undefined where the system does not tell.
 */
export function processorSeconds(processId: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const family = [processId]
  for (const member of family) family.push(...childrenOf(member))
  return family.reduce((sum, member) => sum + ownTicks(member), 0) / ticksInSecond
}

/** With those of children that have ended, which the system adds to their parent's. */
function ownTicks(processId: number): number {
  try {
    const fields = readFileSync(`/proc/${processId}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  } catch {
    return 0 // it has ended since, and is now among those of its parent
  }
}
