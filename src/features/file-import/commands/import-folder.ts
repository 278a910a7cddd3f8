import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { stringifyJson } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { readActingPrincipal } from '../../../command/acting-principal.ts'
import { readRepository } from '../../../command/chosen-repository.ts'
import { type CommandContext, type ExitCode, exitCodes } from '../../../command/command.ts'
import { watchStopSignal } from '../../../command/stop-signal.ts'
import { accessTo } from '../../../core/access.ts'
import { documentNotFound, readDocumentByPath } from '../../../core/documents/read-document.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import type { Services } from '../../../rest/services.ts'
import type { FolderImportRun } from './folder-import.ts'
import { createFolderPlaces } from './folder-places.ts'
import { createImportProgress, type ImportProgress } from './import-progress.ts'
import { importTree, planTree } from './import-tree.ts'
import { type SourceFolder, sourceRoot, walk } from './source-tree.ts'
import { complaint, resultOf, summaryOf } from './summary.ts'
import { createCounter, reasonOf } from './tally.ts'

export interface FolderImportOptions {
  readonly to: string
  readonly as: string | undefined
  readonly repository: string
  readonly overwrite: boolean
  readonly checksum: boolean
  readonly hidden: boolean
  readonly dryRun: boolean
  readonly json: boolean
}

export type ImportCall = CommandContext<unknown, FolderImportOptions, { readonly folder: string }>

export const noSuchFolder = defineProblem(
  'noSuchFolder',
  'notFound',
  (of: { path: string; reason: string }) => `cannot import ${of.path}: ${of.reason}`,
)

export const noSuchTarget = defineProblem(
  'noSuchTarget',
  'notFound',
  (of: { path: string; reason: string }) => `cannot import to ${of.path}: ${of.reason}`,
)

/** Makes documents of the files in a folder. */
export async function importFolder(call: ImportCall): Promise<ExitCode> {
  const { operands, directory } = call
  const source = await readSource(resolve(directory, operands.folder))
  const { services, close } = await call.openServices()
  try {
    return await importInto(call, source, services)
  } finally {
    await close()
  }
}

async function importInto(call: ImportCall, source: SourceFolder, services: Services): Promise<ExitCode> {
  const { options } = call
  const repository = readRepository(services, options.repository)
  const access = accessTo(repository, await readActingPrincipal(services, options.as))
  const target = await access.read((session) => readTarget(session, options.to))
  const progress = createImportProgress(call.terminal)
  const counter = createCounter((outcome) => {
    if (outcome.kind === 'failed') progress.interrupt(() => call.complain(complaint(outcome)))
    progress.show(counter.tally)
  })
  const places = createFolderPlaces(source, target)
  return runToItsEnd(call, source, { ...options, access, services, places, counter }, progress)
}

/** Also when it fails in the middle, what was done is told: it stays done. */
async function runToItsEnd(
  call: ImportCall,
  source: SourceFolder,
  run: FolderImportRun,
  progress: ImportProgress,
): Promise<ExitCode> {
  const { options, print } = call
  const { isStopped, end } = watchStopSignal()
  await progress.count(walk(source, options), isStopped)
  const started = performance.now()
  let isComplete = false
  try {
    await (options.dryRun ? planTree : importTree)(run, walk(source, options), isStopped)
    isComplete = !isStopped()
  } finally {
    end()
    progress.end()
    const ending = { seconds: (performance.now() - started) / 1_000, isDryRun: options.dryRun, isComplete }
    const { tally } = run.counter
    print(options.json ? stringifyJson(resultOf(tally, options.to, ending)) : summaryOf(tally, ending))
  }
  return isComplete && run.counter.tally.failed === 0 ? exitCodes.done : exitCodes.failed
}

/** @throws noSuchFolder */
async function readSource(path: string): Promise<SourceFolder> {
  const stats = await stat(path).catch((cause) => {
    throw noSuchFolder({ path, reason: reasonOf(cause) }, { cause })
  })
  if (!stats.isDirectory()) throw noSuchFolder({ path, reason: 'it is not a folder' })
  return sourceRoot(path)
}

/** @throws noSuchTarget, privilegeMissing */
async function readTarget(session: Session, path: string): Promise<Document> {
  const target = await readDocumentByPath(session, path).catch((cause) => {
    if (!documentNotFound.is(cause)) throw cause
    throw noSuchTarget({ path, reason: 'there is no document' }, { cause })
  })
  if (session.model.shapeOf(target).hasFacet('Folderish')) return target
  throw noSuchTarget({ path, reason: `a ${target.type} holds no documents` })
}
