import { resolve } from 'node:path'
import { defineProblem } from '../../../base/problem.ts'
import { readRepository } from '../../../command/chosen-repository.ts'
import { type CommandContext, type ExitCode, exitCodes, printResult } from '../../../command/command.ts'
import { progressLine, shownBytes, shownNumber } from '../../../command/progress-bar.ts'
import { watchStopSignal } from '../../../command/stop-signal.ts'
import type { Repository } from '../../../core/session.ts'
import type { Services } from '../../../rest/services.ts'
import { type ExportedArchive, type ExportedTally, exportedArchives } from '../../archive-import/index.ts'
import { type FolderImportOptions, importFolder } from '../../file-import/index.ts'
import { archiveUnsafe } from '../format/archive-problems.ts'
import { type ArchiveTally, importArchive } from '../import/import-archive.ts'
import { readTarget } from '../import/import-target.ts'
import { notAnArchive, type ReadableArchive } from '../source/archive-source.ts'
import { findArchive } from '../source/open-archive.ts'

interface Options extends FolderImportOptions {
  readonly withoutPeople: boolean
}

type ImportCall = CommandContext<unknown, Options, { readonly folder: string }>

export const importStopped = defineProblem(
  'importStopped',
  'conflict',
  (_: object) => 'Stopped as asked. Give the same command once more: it goes on where it was.',
)

/** An archive is told from a folder of files by its manifest, and from an export of another server by the mark of that. */
export async function importAny(call: ImportCall): Promise<ExitCode> {
  const path = resolve(call.directory, call.operands.folder)
  const found = await findEither(path)
  if (found === undefined) return importFolder(call)
  try {
    return 'manifest' in found ? await importOpen(call, found) : await importExport(call, found)
  } finally {
    await found.close()
  }
}

/** @throws notAnArchive, archiveTooNew, archiveUnsafe, archiveDamaged */
async function findEither(path: string): Promise<ReadableArchive | ExportedArchive | undefined> {
  try {
    return await findArchive(path)
  } catch (error) {
    if (!notAnArchive.is(error) && !archiveUnsafe.is(error)) throw error
    const exported = await (await exportedArchives()).openExported(path)
    if (exported === undefined) throw error
    return exported
  }
}

/** What commands about either kind have in common: the repository, and a way to stop. */
async function withRepository<Result>(
  call: ImportCall,
  work: (repository: Repository, checkStop: () => void, services: Services) => Promise<Result>,
): Promise<Result> {
  const { services, close } = await call.openServices()
  const { isStopped, end } = watchStopSignal()
  try {
    const checkStop = () => {
      if (isStopped()) throw importStopped({})
    }
    return await work(readRepository(services, call.options.repository), checkStop, services)
  } finally {
    end()
    call.terminal?.draw('')
    await close()
  }
}

const targetOf = ({ to }: Options) => (to.length > 1 ? to.replace(/\/+$/, '') : to)

async function importOpen(call: ImportCall, archive: ReadableArchive): Promise<ExitCode> {
  const { options } = call
  const started = performance.now()
  const total = archive.manifest.parts.documents?.lines ?? 0
  const tally = await withRepository(call, (repository, checkStop, { principalRules }) =>
    importArchive({
      archive,
      repository,
      to: targetOf(options),
      dryRun: options.dryRun,
      withoutPeople: options.withoutPeople,
      administrators: principalRules,
      onChecked: progressOf(call, total, 'documents checked'),
      onDocuments: progressOf(call, total, 'documents'),
      checkStop,
    }),
  )
  const result = { to: options.to, isDryRun: options.dryRun, seconds: secondsSince(started), ...tally }
  return printResult(call, result, inWords(tally, result))
}

async function importExport(call: ImportCall, archive: ExportedArchive): Promise<ExitCode> {
  const { options } = call
  const started = performance.now()
  const tally = await withRepository(call, async (repository, checkStop) => {
    const target = await readTarget(repository, targetOf(options), false)
    const { importExported } = await exportedArchives()
    const progress = progressOf(call, 0, 'documents')
    return importExported({ archive, repository, target, dryRun: options.dryRun, checkStop, onDocuments: progress })
  })
  const result = { to: options.to, isDryRun: options.dryRun, seconds: secondsSince(started), ...tally }
  const code = printResult(call, result, exportInWords(tally, result))
  return tally.missing === 0 ? code : exitCodes.failed
}

const secondsSince = (started: number) => (performance.now() - started) / 1_000

function progressOf({ terminal }: ImportCall, known: number, unit: string): (count: number, total?: number) => void {
  const started = performance.now()
  let done = 0
  return (count, total = known) => {
    done += count
    terminal?.draw(progressLine({ done, total, unit, seconds: secondsSince(started) }, terminal.columns))
  }
}

function inWords(tally: ArchiveTally, { to, isDryRun, seconds }: { to: string; isDryRun: boolean; seconds: number }): string {
  const { documents, imported, leftOut, renumbered, files, bytes, history, people, isContinued } = tally
  if (isDryRun) {
    const rest = isContinued ? `, of which ${shownNumber(imported)} are there from a run before` : ''
    const ids = renumbered === 0 ? 'All keep their ids.' : `${shownNumber(renumbered)} get new ids, as theirs are taken.`
    return `${shownNumber(documents)} documents would come to ${to}${rest}. ${ids}\nNothing was changed.`
  }
  const lines = [
    `${shownNumber(imported)} documents are in ${to}${isContinued ? ', with those of the run before' : ''}, and ` +
      `${shownNumber(history)} rows of their history.`,
    `${shownNumber(files)} files (${shownBytes(bytes)}) were stored; the others were there.`,
  ]
  if (people !== undefined) lines.push(`${shownNumber(people.entries)} entries of directories were stored.`)
  for (const name of people?.unknown ?? [])
    lines.push(`The directory ${name} is not one of this server: its entries were left out.`)
  if (renumbered > 0) lines.push(`${shownNumber(renumbered)} documents have new ids, as theirs were taken.`)
  if (leftOut > 0)
    lines.push(`${shownNumber(leftOut)} proxies and relations were left out: what they show or relate is not here.`)
  return [...lines, `It took ${seconds.toFixed(1)} s.`].join('\n')
}

function exportInWords(
  tally: ExportedTally,
  { to, isDryRun, seconds }: { to: string; isDryRun: boolean; seconds: number },
): string {
  const { documents, imported, there, renumbered, missing, missingFiles } = tally
  if (isDryRun) return `${shownNumber(documents)} documents of another server would come to ${to}. Nothing was changed.`
  const lines = [`${shownNumber(imported)} documents of another server are in ${to} now.`]
  if (there > 0) lines.push(`${shownNumber(there)} were there already, by name and type, and stay as they are.`)
  if (renumbered > 0) lines.push(`${shownNumber(renumbered)} have new ids, as theirs were taken.`)
  if (missing > 0)
    lines.push(
      `${shownNumber(missing)} files are not in the archive, and their documents came without them:`,
      ...missingFiles.map((file) => `  ${file}`),
      ...(missing > missingFiles.length ? [`  and ${shownNumber(missing - missingFiles.length)} more`] : []),
    )
  return [...lines, `It took ${seconds.toFixed(1)} s.`].join('\n')
}
