import { resolve } from 'node:path'
import { stringifyJson } from '../../base/json.ts'
import type { Settings } from '../../builtin-settings.ts'
import { type CommandContext, type ExitCode, exitCodes } from '../../command/command.ts'
import { shownBytes, shownNumber } from '../../command/progress-bar.ts'
import { watchStopSignal } from '../../command/stop-signal.ts'
import { tablesOf } from '../../plugin/plugin-tables.ts'
import { readDefinitions } from '../../server/definitions.ts'
import { indexCopies } from '../../server/open-data.ts'
import { everyRow } from '../../store/backup/back-up-tables.ts'
import { backedUpFiles, backedUpSnapshots, verifyBackup } from '../../store/backup/backed-up-source.ts'
import { type FoundBackup, readBackup } from '../../store/backup/backup-folder.ts'
import { pluginTablesTooNew } from '../../store/problems.ts'
import type { PluginTables } from '../../store/tables.ts'
import { createLog } from '../command/log.ts'
import { rowsOf } from './backup-actions.ts'
import { type CarriedResult, carryOver, stopping } from './carry-over.ts'
import { claimFiles, openFiles, placeOf } from './data-place.ts'

type RestoreCall = CommandContext<
  unknown,
  { readonly json: boolean; readonly leaveOut: readonly string[] },
  { readonly backup: string }
>

/** @throws backupAbsent, backupUnfinished, backupDamaged, backupTooNew, targetNotEmpty, targetFilesNotEmpty, tableNotCarried, copyStopped */
export async function restoreAll(call: RestoreCall): Promise<ExitCode> {
  const own = call.settings as Settings // all of their groups were read
  const backup = await readBackup(resolve(call.directory, call.operands.backup))
  const { isStopped, end } = watchStopSignal()
  try {
    await verifyBackup(backup, stopping({ isStopped }))
    const result = await restoreTo(own, backup, { ...call, isStopped })
    call.print(call.options.json ? stringifyJson(asJson(backup, result)) : inWords(backup, result))
    return isSound(result) ? exitCodes.done : exitCodes.failed
  } finally {
    end()
  }
}

const isSound = ({ isComplete, files, missing }: CarriedResult) =>
  isComplete && missing.length === 0 && (files?.damaged.length ?? 0) === 0

async function restoreTo(
  told: Settings,
  backup: FoundBackup,
  call: Pick<RestoreCall, 'plugins' | 'options' | 'terminal'> & { isStopped(): boolean },
): Promise<CarriedResult> {
  const { manifest } = backup
  const own = { ...told, repositories: Object.keys(manifest.repositories) }
  const definitions = readDefinitions({ plugins: call.plugins, settings: own })
  const tables = await asTheyWere(tablesOf(definitions.plugins), backup)
  const [source, target] = [await openFiles({ ...own, blobs: backup.files }), await openFiles(own)]
  await claimFiles(target, manifest.source)
  return carryOver({
    openSources: async () => backedUpSnapshots(backup),
    to: placeOf(own),
    repositories: own.repositories,
    sourceId: manifest.source,
    tables,
    schema: manifest.schema,
    leftOut: new Set(call.options.leaveOut),
    files: { source: backedUpFiles(backup, source.read), target },
    terminal: call.terminal,
    isStopped: call.isStopped,
    index: () => indexCopies(own, definitions, createLog(own.logLevel, process.stderr)),
  })
}

/** The steps of plugins that had been taken; the others are taken when all rows have come. @throws pluginTablesTooNew */
async function asTheyWere(all: readonly PluginTables[], backup: FoundBackup): Promise<readonly PluginTables[]> {
  const versions = new Map<string, number>()
  for (const source of backedUpSnapshots(backup).sources.values())
    for await (const [plugin, version] of everyRow(source, 'plugin_versions', ['plugin', 'version']))
      versions.set(String(plugin), Number(version))
  return all.map((tables) => {
    const version = versions.get(tables.plugin) ?? 0
    const known = tables.migrations.at(-1)?.version ?? 0
    if (version > known) throw pluginTablesTooNew({ plugin: tables.plugin, version, known })
    return { ...tables, migrations: tables.migrations.filter((migration) => migration.version <= version) }
  })
}

function asJson({ folder, manifest }: FoundBackup, { files, missing, isComplete }: CarriedResult): object {
  const counted = files && { files: files.files, bytes: files.bytes, copied: files.copied, damaged: [...files.damaged] }
  const { made, source } = manifest
  return { backup: folder, made, source, isComplete, repositories: rowsOf(manifest), files: counted, missing: [...missing] }
}

function inWords({ folder, manifest }: FoundBackup, { tables, files, missing, isComplete }: CarriedResult): string {
  const lines = [`From ${folder}, made ${manifest.made} by Quire ${manifest.program}:`]
  for (const [repository, facts] of tables) {
    const rows = facts.reduce((total, one) => total + one.rows, 0)
    lines.push(`${repository}: ${shownNumber(rows)} rows in ${facts.length} tables`)
  }
  if (files !== undefined)
    lines.push(
      `${shownNumber(files.files)} files (${shownBytes(files.bytes)}), of which ${shownNumber(files.copied)} were copied.`,
    )
  for (const key of files?.damaged ?? []) lines.push(`The file ${key} of the backup is damaged and was left out.`)
  const damaged = new Set(files?.damaged)
  for (const key of missing.filter((one) => !damaged.has(one))) lines.push(`The file ${key}, which documents have, is missing.`)
  if (missing.length > 0) lines.push('quire check names the documents of the files that are missing.')
  lines.push(
    isComplete
      ? 'All rows are those that were backed up, by the count and the digest of every table.'
      : 'Somebody writes to the place that rows are restored to. Empty it and give the same command once more.',
  )
  return lines.join('\n')
}
