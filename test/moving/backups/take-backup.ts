import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLineAt } from '../../support/command-line.ts'
import type { DatabasePlace } from '../../support/database-place.ts'
import { launchProgram, runProgram } from '../../support/program.ts'
import { quireProgram } from '../../support/quire-program.ts'

const backupArgs = (place: DatabasePlace, folder: string) => ['backup', folder, '--json', '--log-level', 'error', ...place.flags]

/** `quire backup` in a process of its own, beside the server of the place. Gives what it printed. */
export async function takeBackup(place: DatabasePlace, folder: string) {
  const { code, printed, complained } = await runProgram(quireProgram, backupArgs(place, folder))
  assert.equal(code, 0, complained || printed)
  return JSON.parse(printed)
}

/** Kills one while it is unfinished, and gives its folder; undefined when it was done before that. */
export async function killBackup(place: DatabasePlace, folder: string): Promise<string | undefined> {
  const unfinished = async () => (await readdir(folder).catch(() => [])).find((name) => name.startsWith('unfinished-'))
  const earlier = await unfinished()
  const program = launchProgram(quireProgram, backupArgs(place, folder))
  let isOver = false
  void program.ended.then(() => {
    isOver = true
  })
  for (let name = earlier; !isOver && (name === undefined || name === earlier); name = await unfinished())
    await new Promise((resolve) => setTimeout(resolve, 1))
  program.kill('SIGKILL')
  await program.ended
  const left = await unfinished()
  return left === undefined ? undefined : join(folder, left)
}

/** So many files all backups there have in common. */
export async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(join(folder, 'files', 'data'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

const restoreArgs = (backup: string) => ['restore', backup, '--json', '--log-level', 'error']

/** `quire restore` to a place, in this process. */
export function restore(place: DatabasePlace, backup: string, more: readonly string[] = []) {
  return commandLineAt(place).run([...restoreArgs(backup), ...more])
}

/** The same in a process of its own, which nobody here waits for. */
export function restoreApart(place: DatabasePlace, backup: string) {
  return runProgram(quireProgram, [...restoreArgs(backup), ...place.flags])
}
