import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The processes that a process has started and that are still there. */
export function childrenOf(processId: number): readonly number[] {
  return process.platform === 'linux' ? childrenByProc(processId) : childrenByPs(processId)
}

/** Ends a process and all that it has started at once, as a machine that loses power does: none sees another go. */
export function killFamily(processId: number): void {
  const family = [processId]
  for (const member of family) family.push(...childrenOf(member))
  for (const member of family) kill(member)
}

function childrenByProc(processId: number): readonly number[] {
  try {
    return numbersIn(readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8'))
  } catch {
    return []
  }
}

function childrenByPs(processId: number): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n').map(numbersIn)
  return lines.flatMap(([child, parent]) => (parent === processId && child !== undefined ? [child] : []))
}

function numbersIn(text: string): readonly number[] {
  return (text.match(/\d+/g) ?? []).map(Number)
}

function kill(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL')
  } catch {
    // it was faster
  }
}
