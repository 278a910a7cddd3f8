import { stringifyJson } from '../../../base/json.ts'
import { type CommandContext, type ExitCode, exitCodes } from '../../../command/command.ts'
import { shownBytes, shownNumber } from '../../../command/progress-bar.ts'
import { type BlobFlaw, checkBlobs } from '../../../core/blob-check/check-blobs.ts'
import { type CollectionResult, collectBlobs } from '../../../core/blob-gc/collect-blobs.ts'
import { forgetRepositories } from '../../../core/blob-gc/known-repositories.ts'
import type { Services } from '../../../rest/services.ts'
import { type CollectionValues, collectionRulesOf } from '../settings.ts'

type FilesCall<Options, Values = unknown> = CommandContext<Values, Options & { readonly json: boolean }, object>

export async function collect(
  call: FilesCall<
    { readonly dryRun: boolean; readonly removeAnyway: boolean; readonly forget: readonly string[] | undefined },
    CollectionValues
  >,
): Promise<ExitCode> {
  const { options, settings, print } = call
  return withServices(call, async ({ repositories }) => {
    await forgetRepositories(repositories, options.forget ?? [])
    const { dryRun, removeAnyway } = options
    const rules = { ...collectionRulesOf(settings), ...(removeAnyway && { maxShare: 100 }) }
    const result = await collectBlobs(repositories, { ...rules, dryRun })
    print(options.json ? stringifyJson({ ...result, dryRun }) : collectionLine(result, dryRun))
    return exitCodes.done
  })
}

function collectionLine({ gcDuration, ...tally }: CollectionResult, dryRun: boolean): string {
  const removed = `${shownNumber(tally.numBinariesGC)} of ${counted(tally.numBinaries + tally.numBinariesGC)}`
  const sizes = `${shownBytes(tally.sizeBinariesGC)} of ${shownBytes(tally.sizeBinaries + tally.sizeBinariesGC)}`
  return `${removed} ${dryRun ? 'would be removed' : 'removed'} (${sizes}) in ${(gcDuration / 1_000).toFixed(1)} s.`
}

/** Flaws are told as they are found: all of a large store are read for hours. */
export async function checkFiles(call: FilesCall<object>): Promise<ExitCode> {
  const { options, print, complain, terminal } = call
  return withServices(call, async ({ repositories }) => {
    const flaws: BlobFlaw[] = []
    let [files, bytes, oldAddresses] = [0, 0, 0]
    for (const repository of repositories.values()) {
      for await (const checked of checkBlobs(repository)) {
        files += 1
        bytes += checked.length ?? 0
        flaws.push(...checked.flaws)
        if (!options.json) for (const flaw of checked.flaws) complain(flawLine(flaw))
        terminal?.draw(`${counted(files)} read (${shownBytes(bytes)})`)
      }
      oldAddresses += await repository.store.reader.blobKeys.countOldAddresses()
    }
    terminal?.draw('')
    print(options.json ? stringifyJson({ files, bytes, flaws, oldAddresses }) : checkLine(files, bytes, flaws.length))
    if (!options.json && oldAddresses > 0) print(carriedLine(files - oldAddresses, files))
    return flaws.length === 0 ? exitCodes.done : exitCodes.failed
  })
}

function flawLine({ repository, documentId, path, xpath, key, flaw, expected, found }: BlobFlaw): string {
  const what = {
    missing: 'is missing',
    unreadable: `cannot be read: ${found}`,
    wrongDigest: `is damaged: its digest should be ${expected} and is ${found}`,
    wrongLength: `should have ${expected} bytes and has ${found}`,
  }
  return `${repository} ${documentId} ${path ?? '(a version)'} ${xpath}: file ${key} ${what[flaw]}`
}

function checkLine(files: number, bytes: number, flaws: number): string {
  const outcome = flaws === 0 ? 'all as they should be' : `${shownNumber(flaws)} not as they should be`
  return `${counted(files)} read (${shownBytes(bytes)}): ${outcome}.`
}

function carriedLine(carried: number, files: number): string {
  return `${shownNumber(carried)} of ${counted(files)} have their SHA-256 address; a running server carries the others over.`
}

function counted(files: number): string {
  return `${shownNumber(files)} ${files === 1 ? 'file' : 'files'}`
}

async function withServices(
  { openServices }: Pick<FilesCall<object>, 'openServices'>,
  body: (services: Services) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { services, close } = await openServices()
  try {
    return await body(services)
  } finally {
    await close()
  }
}
