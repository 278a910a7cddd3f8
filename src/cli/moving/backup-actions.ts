import { resolve } from 'node:path'
import packageJson from '../../../package.json' with { type: 'json' }
import { stringifyJson } from '../../base/json.ts'
import type { Settings } from '../../builtin-settings.ts'
import { type CommandContext, type ExitCode, exitCodes } from '../../command/command.ts'
import { shownBytes, shownNumber } from '../../command/progress-bar.ts'
import { endWithStarter, watchStopSignal } from '../../command/stop-signal.ts'
import { filesIn } from '../../store/backup/backup-folder.ts'
import { lockBackups } from '../../store/backup/backup-lock.ts'
import { type RemovedBackups, removeOldBackups } from '../../store/backup/remove-old-backups.ts'
import { type BackedUp, backUp } from './back-up.ts'
import { drawBackup, printBackup } from './backup-progress.ts'
import { openFiles, placeOf } from './data-place.ts'

type BackupCall = CommandContext<
  unknown,
  { readonly json: boolean; readonly keep: number | undefined; readonly progress: boolean },
  { readonly folder: string }
>

/** @throws backupRunning, and as backUp and removeOldBackups do */
export async function backUpAll(call: BackupCall): Promise<ExitCode> {
  const own = call.settings as Settings // all of their groups were read
  const folder = resolve(call.directory, call.operands.folder)
  const { keep, json, progress } = call.options
  // Of what is killed the next one on this machine knows at once, and removes what it left.
  const endWatch = endWithStarter()
  const unlock = await lockBackups(folder).catch((error: unknown) => {
    endWatch()
    throw error
  })
  const { isStopped, end } = watchStopSignal()
  try {
    const files = { source: await openFiles(own), target: await openFiles({ ...own, blobs: filesIn(folder) }) }
    const result = await backUp({
      from: placeOf(own),
      repositories: own.repositories,
      files,
      folder,
      program: packageJson.version,
      watcher: progress ? printBackup(call.print) : drawBackup(call.terminal),
      isStopped,
    })
    const removed = keep === undefined ? undefined : await removeOldBackups(folder, keep, files.target)
    call.print(json ? stringifyJson(asJson(result, removed)) : inWords(result, removed))
    return isSound(result) ? exitCodes.done : exitCodes.failed
  } finally {
    end()
    await unlock()
    endWatch()
  }
}

const isSound = ({ files, missing }: BackedUp) => files.damaged.length === 0 && missing.length === 0

function asJson({ folder, manifest, files, missing }: BackedUp, removed: RemovedBackups | undefined): object {
  const { made, source } = manifest
  const { copied, copiedBytes, damaged } = files
  const counted = { files: manifest.files.lines, bytes: manifest.files.bytes, copied, copiedBytes, damaged: [...damaged] }
  return {
    backup: folder,
    made,
    source,
    repositories: rowsOf(manifest),
    files: counted,
    missing: [...missing],
    ...(removed && { removed: { ...removed } }),
  }
}

/** By repository, and there by table. */
export function rowsOf({ repositories }: BackedUp['manifest']): Record<string, Record<string, number>> {
  const counted = Object.entries(repositories).map(([repository, tables]) => {
    return [repository, Object.fromEntries(tables.map(({ name, lines }) => [name, lines]))] as const
  })
  return Object.fromEntries(counted)
}

function inWords({ folder, manifest, files, missing }: BackedUp, removed: RemovedBackups | undefined): string {
  const lines = Object.entries(manifest.repositories).map(([repository, tables]) => {
    const rows = tables.reduce((total, table) => total + table.lines, 0)
    return `${repository}: ${shownNumber(rows)} rows in ${tables.length} tables`
  })
  lines.push(
    `${shownNumber(manifest.files.lines)} files (${shownBytes(manifest.files.bytes)}), of which ${shownNumber(files.copied)} were copied (${shownBytes(files.copiedBytes)}).`,
  )
  if (files.damaged.length > 0) lines.push(`${files.damaged.length} files are damaged and were left out: quire check names them.`)
  if (missing.length > 0) lines.push(`${missing.length} files that documents have are missing: quire check names them.`)
  if (removed !== undefined)
    lines.push(
      `${shownNumber(removed.backups)} older backups were removed, and ${shownNumber(removed.files)} files (${shownBytes(removed.bytes)}) that only they had.`,
    )
  return [...lines, `The backup is in ${folder}.`].join('\n')
}
