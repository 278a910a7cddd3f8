import { resolve } from 'node:path'
import { stringifyJson } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { readRepository } from '../../../command/chosen-repository.ts'
import { type CommandContext, type ExitCode, exitCodes } from '../../../command/command.ts'
import { progressLine, shownBytes, shownNumber } from '../../../command/progress-bar.ts'
import { watchStopSignal } from '../../../command/stop-signal.ts'
import { type FolderImportOptions, importFolder } from '../../file-import/index.ts'
import { type ArchiveTally, importArchive } from '../import/import-archive.ts'
import type { ReadableArchive } from '../source/archive-source.ts'
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

/** An archive is told from a folder of files by its manifest. @throws as importArchive, and as importFolder */
export async function importAny(call: ImportCall): Promise<ExitCode> {
  const archive = await findArchive(resolve(call.directory, call.operands.folder))
  if (archive === undefined) return importFolder(call)
  try {
    return await importOpen(call, archive)
  } finally {
    await archive.close()
  }
}

async function importOpen(call: ImportCall, archive: ReadableArchive): Promise<ExitCode> {
  const { options } = call
  const { services, close } = await call.openServices()
  const { isStopped, end } = watchStopSignal()
  const started = performance.now()
  const total = archive.manifest.parts.documents?.lines ?? 0
  try {
    const tally = await importArchive({
      archive,
      repository: readRepository(services, options.repository),
      to: options.to.length > 1 ? options.to.replace(/\/+$/, '') : options.to,
      dryRun: options.dryRun,
      withoutPeople: options.withoutPeople,
      onChecked: progressOf(call, total, 'documents checked'),
      onDocuments: progressOf(call, total, 'documents'),
      checkStop() {
        if (isStopped()) throw importStopped({})
      },
    })
    call.terminal?.draw('')
    const seconds = (performance.now() - started) / 1_000
    const result = { to: options.to, isDryRun: options.dryRun, seconds, ...tally }
    call.print(options.json ? stringifyJson(result) : inWords(tally, result))
    return exitCodes.done
  } finally {
    end()
    call.terminal?.draw('')
    await close()
  }
}

function progressOf({ terminal }: ImportCall, total: number, unit: string): (count: number) => void {
  const started = performance.now()
  let done = 0
  return (count) => {
    done += count
    terminal?.draw(progressLine({ done, total, unit, seconds: (performance.now() - started) / 1_000 }, terminal.columns))
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
