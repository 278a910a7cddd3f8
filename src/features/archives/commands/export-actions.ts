import { lstat } from 'node:fs/promises'
import { resolve } from 'node:path'
import packageJson from '../../../../package.json' with { type: 'json' }
import { stringifyJson } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { readRepository } from '../../../command/chosen-repository.ts'
import { type CommandContext, type ExitCode, exitCodes } from '../../../command/command.ts'
import { shownBytes, shownNumber } from '../../../command/progress-bar.ts'
import { watchStopSignal } from '../../../command/stop-signal.ts'
import type { Repository } from '../../../core/session.ts'
import type { Services } from '../../../rest/services.ts'
import type { Snapshot } from '../../../store/snapshot.ts'
import { writeArchive } from '../export/write-archive.ts'
import { archiveExists } from '../format/archive-problems.ts'
import type { Manifest } from '../format/manifest.ts'

interface Options {
  readonly repository: string
  readonly withoutPeople: boolean
  readonly json: boolean
}

type ExportCall = CommandContext<unknown, Options, { readonly path: string; readonly archive: string }>

export const nothingToExport = defineProblem(
  'nothingToExport',
  'notFound',
  (of: { path: string }) => `There is no document at ${of.path}. Paths begin with /, and / is the whole repository.`,
)

export const exportStopped = defineProblem(
  'exportStopped',
  'conflict',
  (_: object) => 'Stopped as asked. No archive was written.',
)

/** @throws archiveExists, nothingToExport, exportStopped, noSuchRepository */
export async function exportTree(call: ExportCall): Promise<ExitCode> {
  const path = resolve(call.directory, call.operands.archive)
  if (await isThere(path)) throw archiveExists({ path })
  const { services, close } = await call.openServices()
  const { isStopped, end } = watchStopSignal()
  const started = performance.now()
  try {
    const manifest = await exportFrom(call, services, path, () => {
      if (isStopped()) throw exportStopped({})
    })
    call.terminal?.draw('')
    const seconds = (performance.now() - started) / 1_000
    call.print(call.options.json ? stringifyJson({ archive: path, seconds, ...manifest }) : inWords(path, manifest, seconds))
    return manifest.files.missing.length === 0 ? exitCodes.done : exitCodes.failed
  } finally {
    end()
    call.terminal?.draw('')
    await close()
  }
}

async function exportFrom(call: ExportCall, services: Services, path: string, checkStop: () => void): Promise<Manifest> {
  const { options, operands, terminal } = call
  const repository = readRepository(services, options.repository)
  const snapshot = await repository.store.openSnapshot()
  const home = options.withoutPeople ? undefined : await openHome(repository, snapshot)
  try {
    const wantedPath = operands.path.length > 1 ? operands.path.replace(/\/+$/, '') : operands.path
    const root = await snapshot.documents.findByPath(wantedPath)
    if (root === undefined) throw nothingToExport({ path: operands.path })
    let [documents, files] = [0, 0]
    const draw = () => terminal?.draw(`${shownNumber(documents)} documents, ${shownNumber(files)} files`)
    return await writeArchive({
      repository,
      snapshot,
      root,
      ...(home && root.path === '/' && { people: { directories: repository.directories, snapshot: home } }),
      path,
      program: packageJson.version,
      checkStop,
      onDocuments(count) {
        documents += count
        draw()
      },
      onFile() {
        files += 1
        if (files % 100 === 0) draw()
      },
    })
  } finally {
    await snapshot.close()
    if (home !== snapshot) await home?.close()
  }
}

/** People are with the first repository. */
async function openHome(repository: Repository, snapshot: Snapshot): Promise<Snapshot> {
  return repository.home === repository ? snapshot : repository.home.store.openSnapshot()
}

function inWords(path: string, { parts, files }: Manifest, seconds: number): string {
  const count = (lines = 0) => shownNumber(lines)
  const lines = [
    `${count(parts.documents?.lines)} documents, ${count(parts.audit?.lines)} rows of their history` +
      `${parts.people === undefined ? '' : `, ${count(parts.people.lines)} entries of directories`}`,
    `${count(files.count)} files (${shownBytes(files.bytes)})`,
  ]
  if (files.missing.length > 0)
    lines.push(`${count(files.missing.length)} files that documents have are missing or damaged: quire check names them.`)
  return [...lines, `The archive is ${path}, written in ${seconds.toFixed(1)} s.`].join('\n')
}

/** A link to nothing is something. */
function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
