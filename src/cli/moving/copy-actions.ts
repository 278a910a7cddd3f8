import { stringifyJson } from '../../base/json.ts'
import type { Log } from '../../base/log.ts'
import type { Settings } from '../../builtin-settings.ts'
import { type CommandContext, type ExitCode, exitCodes } from '../../command/command.ts'
import { shownBytes, shownNumber } from '../../command/progress-bar.ts'
import { watchStopSignal } from '../../command/stop-signal.ts'
import { tablesOf } from '../../plugin/plugin-tables.ts'
import { readDefinitions } from '../../server/definitions.ts'
import { indexCopies } from '../../server/open-data.ts'
import { readSourceId } from '../../server.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { missingOption } from '../../settings/problems.ts'
import { openSnapshots } from '../../store/transfer/open-carried.ts'
import { createLog } from '../command/log.ts'
import { type CarriedResult, carryOver } from './carry-over.ts'
import type { copySettings } from './copy-settings.ts'
import { blobsOf, claimFiles, type DataPlace, openFiles, placeOf } from './data-place.ts'

type CopyValues = SettingValues<typeof copySettings>

type CopyCall = CommandContext<CopyValues, { readonly json: boolean; readonly leaveOut: readonly string[] }, object>

/** @throws missingOption, targetNotEmpty, targetFilesNotEmpty, copyStopped, tableNotCarried, and as opening the source does */
export async function copyAll(call: CopyCall): Promise<ExitCode> {
  const own = call.settings as CopyValues & Settings // all of their groups were read
  const [from, to] = [sourcePlace(own), targetPlace(own)]
  const log = createLog(own.logLevel, process.stderr)
  const result = await copyPlaces({ own, from, to, log, call, leftOut: new Set(call.options.leaveOut) })
  call.print(call.options.json ? stringifyJson(asJson(result)) : inWords(result))
  return result.isComplete && result.missing.length === 0 ? exitCodes.done : exitCodes.failed
}

/** None is searched, and the replica of one is none of the other's. */
type CopiedPlace = DataPlace & Pick<Settings, 'databaseReplicaUrl'>

/** Of the source what the server itself has, unless told otherwise: a folder that is named has an embedded database. */
function sourcePlace(own: CopyValues & Settings): CopiedPlace {
  const isNamed = own.fromData !== undefined || own.fromDatabaseUrl !== undefined
  return {
    data: own.fromData ?? own.data,
    databaseUrl: isNamed ? own.fromDatabaseUrl : own.databaseUrl,
    databaseDirectUrl: isNamed ? undefined : own.databaseDirectUrl,
    databaseReplicaUrl: undefined,
    databaseSchema: own.fromDatabaseSchema ?? own.databaseSchema,
    blobs: own.fromBlobs ?? (own.fromData === undefined ? own.blobs : undefined),
  }
}

function targetPlace(own: CopyValues & Settings): CopiedPlace {
  const { toData, toDatabaseUrl, toBlobs } = own
  if (toData === undefined && toDatabaseUrl === undefined) throw missingOption({ flag: '--to-data or --to-database-url' })
  const stays = blobsOf(sourcePlace(own))
  return {
    data: toData ?? own.data,
    databaseUrl: toDatabaseUrl,
    databaseDirectUrl: undefined,
    databaseReplicaUrl: undefined,
    databaseSchema: own.toDatabaseSchema ?? own.databaseSchema,
    blobs: toBlobs ?? (toData === undefined ? stays : undefined),
  }
}

interface PlacesCopy {
  /** Everything else that the server was told. */
  readonly own: Settings
  readonly from: CopiedPlace
  readonly to: CopiedPlace
  readonly leftOut: ReadonlySet<string>
  readonly log: Log
  readonly call: Pick<CopyCall, 'plugins' | 'terminal'>
}

export async function copyPlaces({ own, from, to, leftOut, log, call }: PlacesCopy): Promise<CarriedResult> {
  const definitions = readDefinitions({ plugins: call.plugins, settings: own })
  const sourceId = await readSourceId({ settings: { ...own, ...from }, plugins: call.plugins, log })
  const files = blobsOf(from) === blobsOf(to) ? undefined : { source: await openFiles(from), target: await openFiles(to) }
  if (files !== undefined) await claimFiles(files.target, sourceId)
  const { isStopped, end } = watchStopSignal()
  try {
    return await carryOver({
      openSources: () => openSnapshots(placeOf(from), own.repositories),
      to: placeOf(to),
      repositories: own.repositories,
      sourceId,
      tables: tablesOf(definitions.plugins),
      leftOut,
      ...(files !== undefined && { files }),
      terminal: call.terminal,
      isStopped,
      index: () => indexCopies({ ...own, ...to }, definitions, log),
    })
  } finally {
    end()
  }
}

function asJson({ tables, files, missing, ...rest }: CarriedResult): object {
  const counted = files && {
    files: files.files,
    bytes: files.bytes,
    copied: files.copied,
    copiedBytes: files.copiedBytes,
    damaged: files.damaged,
  }
  return { ...rest, repositories: Object.fromEntries(tables), ...(counted && { files: counted }), missing }
}

function inWords(result: CarriedResult): string {
  const lines = [...result.tables].map(([repository, facts]) => {
    const rows = facts.reduce((total, one) => total + one.rows, 0)
    return `${repository}: ${shownNumber(rows)} rows in ${facts.length} tables`
  })
  lines.push(
    `${shownNumber(result.added)} rows were added and ${shownNumber(result.removed)} taken away or replaced, in ${result.rounds} looks.`,
  )
  if (result.files === undefined) lines.push('Files stay where they are.')
  else
    lines.push(
      `${shownNumber(result.files.files)} files (${shownBytes(result.files.bytes)}), of which ${shownNumber(result.files.copied)} were copied.`,
    )
  return [...lines, ...flawLines(result), ending(result)].join('\n')
}

function flawLines({ files, missing }: CarriedResult): readonly string[] {
  const damaged = files?.damaged.length ?? 0
  return [
    ...(damaged > 0 ? [`${damaged} files of the source are damaged and were left out: quire check names them.`] : []),
    ...(missing.length > 0
      ? [`${missing.length} files that documents have are missing, in the source too: quire check names them.`]
      : []),
  ]
}

function ending({ isComplete }: CarriedResult): string {
  return isComplete
    ? 'Both sides are the same, by the count and the digest of every table and the name of every file.'
    : 'The source was written to all the while, so the last changes are missing. Stop its server and give the same command once more.'
}
