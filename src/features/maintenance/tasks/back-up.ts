import { isJsonObject, type Json } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { Services } from '../../../rest/services.ts'
import type { MaintenanceTask } from '../maintenance-task.ts'
import { maintenanceSettings } from '../settings.ts'
import { runQuire } from './quire-process.ts'

export const backupFolderUnknown = defineProblem(
  'backupFolderUnknown',
  'conflict',
  (_: object) => 'This server was not told where backups go. Start it with --backup-folder, or make one with quire backup.',
)

export const backupFailed = defineProblem('backupFailed', 'failed', (of: { reason: string }) => of.reason)

type BackedUp = { readonly [name: string]: Json }

/**
 * What `quire backup` does, as a process of its own: it reads all that there is at one moment, and no request shall wait for it. A server
 * that stops stops it as well, and the next one begins again, without the files that were copied.
 */
export const backUp: MaintenanceTask<BackedUp> = {
  name: 'backUp',
  require: (services) => void folderOf(services),
  begin: async (services) => {
    folderOf(services)
    return { done: 0, total: 0, state: {} }
  },
  async turn(services, _, { signal, report }) {
    const { backupKeep } = services.valuesOf(maintenanceSettings)
    const wish = ['backup', folderOf(services), '--keep', String(backupKeep), '--json', '--progress']
    let [done, total] = [0, 0]
    let result: BackedUp | undefined
    const { complaint } = await runQuire(services, wish, signal, (line) => {
      if (isJsonObject(line['progress'] ?? null)) {
        ;[done, total] = progressIn(line['progress'] as BackedUp)
        report(done, total)
      } else result = line
    })
    if (result !== undefined) return { done: total, total, state: outcomeOf(result), isOver: true }
    if (signal.aborted) return { done: 0, total, state: {}, isOver: false }
    throw backupFailed({ reason: complaint })
  },
  outcome: (state) => state,
}

function folderOf(services: Services): string {
  const { backupFolder } = services.valuesOf(maintenanceSettings)
  if (backupFolder === undefined) throw backupFolderUnknown({})
  return backupFolder
}

function progressIn({ files, rows, rowsInAll, filesInAll }: BackedUp): [number, number] {
  return [Number(files) + Number(rows), Number(filesInAll) + Number(rowsInAll)]
}

/** Where it is, what is in it, and how much of that was lost before. */
function outcomeOf({ backup, made, files, missing, removed }: BackedUp): BackedUp {
  const {
    files: count = 0,
    bytes = 0,
    copied = 0,
    copiedBytes = 0,
    damaged = [],
  } = isJsonObject(files ?? null) ? (files as BackedUp) : {}
  return {
    backup: backup ?? null,
    made: made ?? null,
    files: count,
    bytes,
    copied,
    copiedBytes,
    damaged: lengthOf(damaged),
    missing: lengthOf(missing),
    removed: isJsonObject(removed ?? null) ? ((removed as BackedUp)['backups'] ?? 0) : 0,
  }
}

function lengthOf(list: Json | undefined): number {
  return Array.isArray(list) ? list.length : 0
}
