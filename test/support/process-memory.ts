import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Memory that a process holds in RAM, in millions of bytes. */
export function residentMegabytes(processId: number): number {
  return megabytes(process.platform === 'linux' ? statusOf(processId, 'VmRSS') : kilobytesByPs(processId))
}

/** The same without the pages of files, which the system takes back when others need them. */
export function anonymousMegabytes(processId: number): number {
  return process.platform === 'linux' ? megabytes(statusOf(processId, 'RssAnon')) : residentMegabytes(processId)
}

/** The most that it ever held; where the system does not tell, what it holds now. */
export function peakMegabytes(processId: number): number {
  return process.platform === 'linux' ? megabytes(statusOf(processId, 'VmHWM')) : residentMegabytes(processId)
}

function statusOf(processId: number, field: 'VmRSS' | 'VmHWM' | 'RssAnon'): number {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1])
}

function kilobytesByPs(processId: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' }))
}

function megabytes(kilobytes: number): number {
  return (kilobytes * 1_024) / 1_000_000
}
