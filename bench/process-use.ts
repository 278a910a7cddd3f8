import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Memory that a process holds in RAM, in millions of bytes. */
export function residentMegabytes(processId: number): number {
  return (kilobytesOf(processId) * 1_024) / 1_000_000
}

function kilobytesOf(processId: number): number {
  if (process.platform !== 'linux')
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' }))
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1])
}

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
