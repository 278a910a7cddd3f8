import { readFileSync } from 'node:fs'

// Linux counts in ticks of a hundredth of a second, whatever the machine: USER_HZ.
const ticksInSecond = 100

/** Processor time that all threads of a process have had so far; undefined where the system does not tell. */
export function processorSeconds(processId: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])]
  return (userTicks + systemTicks) / ticksInSecond
}
