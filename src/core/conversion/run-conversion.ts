import { createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import { defineProblem } from '../../base/problem.ts'
import { type BlobContent, openBlob } from '../blobs/open-blob.ts'
import { plainMimeType } from '../file-texts/text-extractor.ts'
import type { Repository } from '../session.ts'
import type { ConversionLimits, ConversionParameters, StagedFile } from './converter.ts'
import type { PlannedStep } from './plan-conversion.ts'
import type { ConversionReply, ConvertedFile } from './process/conversion-messages.ts'
import type { Afterwards, ConversionPool, PoolWish } from './process/conversion-pool.ts'
import { type ConversionLoss, type ConversionProcess, ConversionProcessLost } from './process/conversion-process.ts'
import type { Programs } from './programs.ts'

export const fileNotConvertible = defineProblem(
  'fileNotConvertible',
  'unprocessable',
  (of: { converter: string; reason: string }) => `The file could not be converted by ${of.converter}. ${of.reason}`,
)

export const fileTooLargeToConvert = defineProblem(
  'fileTooLargeToConvert',
  'tooLarge',
  (of: { converter: string; reason: string }) => `The file is too much for ${of.converter}. ${of.reason}`,
)

export const conversionFailed = defineProblem(
  'conversionFailed',
  'failed',
  (of: { converter: string; reason: string }) => `The conversion by ${of.converter} failed: ${of.reason}`,
)

export const nothingConverted = defineProblem(
  'nothingConverted',
  'notFound',
  (of: { converter: string }) => `The converter ${of.converter} found nothing in the file to make a result of.`,
)

/** A file to convert, wherever its bytes are. */
export interface ConversionSource {
  readonly name: string | null
  readonly mimeType: string
  readonly encoding: string | null
  open(): Promise<Readable>
  /** Puts a copy of it there, where that is possible without reading it; false where it was not. */
  copyTo?(path: string): Promise<boolean>
}

/** A blob as the source of a conversion. */
export function conversionSource({ blobs }: Pick<Repository, 'blobs'>, content: BlobContent): ConversionSource {
  const { key, name, 'mime-type': type, encoding, length } = content.blob
  const isStored = content.bytes === undefined
  return {
    ...{ name, encoding, mimeType: type ?? '' },
    open: () => openBlob(blobs, content),
    copyTo: async (path) => isStored && (await blobs.copyTo?.(key, path, length)) === true,
  }
}

export interface ConversionWish extends PoolWish {
  readonly parameters?: ConversionParameters
  /** Files that the converter is handed beside the one that it converts. */
  readonly attached?: readonly ConversionSource[]
}

/** What conversions run with. */
export interface ConversionMeans {
  readonly pool: ConversionPool
  readonly programs: Programs
  readonly limits: ConversionLimits
  readonly log: Log
}

/**
 * Runs all steps in one process, each with what the one before it made, and has the result used before it is gone; once more where it took
 * too long and nobody waits for it.
 */
export function runConversion<Result>(
  means: ConversionMeans,
  steps: readonly PlannedStep[],
  source: ConversionSource,
  use: (files: readonly ConvertedFile[]) => Promise<Result>,
  wish: ConversionWish,
): Promise<Result> {
  const attempt = async (process: ConversionProcess, afterwards: Afterwards): Promise<Result> => {
    const folder = join(process.folder, newId())
    await mkdir(folder)
    afterwards(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
    let file = await stage(folder, source, wish.signal)
    const attached = await stageAll(folder, wish)
    let files: readonly ConvertedFile[] = []
    for (const [index, step] of steps.entries()) {
      files = await runStep(means, process, step, { source: file, attached, folder: join(folder, `step-${index}`), wish })
      const [first] = files
      if (first === undefined) throw nothingConverted(step)
      if (index < steps.length - 1) file = await restage(join(folder, `source-${index}`), first, source.name)
    }
    return use(files)
  }
  const run = () => means.pool.run(attempt, wish)
  if (!wish.isBackground) return run()
  // On a busy machine it may not have had its time, and what nobody waits for would be missing for good.
  return run().catch((error: unknown) => (isOutOfTime(error) ? run() : Promise.reject(error)))
}

function isOutOfTime(error: unknown): boolean {
  const lost = error instanceof Error && error.cause
  return lost instanceof ConversionProcessLost && lost.reason === 'outOfTime'
}

const longestExtension = 10

/** Programs tell by the extension what a file is, and by nothing else of its name. */
function stagedName(name: string | null): string {
  const extension = /\.(\w+)$/.exec(name ?? '')?.[1] ?? ''
  return extension === '' || extension.length > longestExtension ? 'source' : `source.${extension.toLowerCase()}`
}

async function stage(folder: string, source: ConversionSource, signal: AbortSignal | undefined): Promise<StagedFile> {
  const path = join(folder, stagedName(source.name))
  if ((await source.copyTo?.(path)) !== true)
    await pipeline(await source.open(), createWriteStream(path), { ...(signal && { signal }) })
  const { name, encoding, mimeType } = source
  return { path, name, encoding, mimeType: plainMimeType(mimeType) }
}

async function stageAll(folder: string, { attached = [], signal }: ConversionWish): Promise<readonly StagedFile[]> {
  const files: StagedFile[] = []
  for (const [index, source] of attached.entries()) {
    const place = join(folder, `attached-${index}`)
    await mkdir(place)
    files.push(await stage(place, source, signal))
  }
  return files
}

/** The result of a step as the source of the next: under another name, and in a folder to which the next writes nothing. */
async function restage(
  folder: string,
  { path, mimeType, encoding, name }: ConvertedFile,
  sourceName: string | null,
): Promise<StagedFile> {
  await mkdir(folder)
  const staged = join(folder, stagedName(name))
  await link(path, staged).catch(() => copyFile(path, staged))
  return { path: staged, name: sourceName, mimeType, encoding }
}

interface StepCall {
  readonly source: StagedFile
  readonly attached: readonly StagedFile[]
  readonly folder: string
  readonly wish: ConversionWish
}

async function runStep(
  { programs, limits, log }: ConversionMeans,
  process: ConversionProcess,
  { converter, way, target }: PlannedStep,
  { source, attached, folder, wish }: StepCall,
): Promise<readonly ConvertedFile[]> {
  await mkdir(folder)
  const order = {
    module: way.module.href,
    source,
    attached,
    converter,
    target,
    parameters: wish.parameters ?? {},
    options: way.options ?? {},
    limits: { ...limits, milliseconds: limits.milliseconds * (way.patience ?? 1) },
    folder,
    programs: programs.list(),
  }
  const reply = await process.convert(order, wish.signal).catch((error) => {
    if (error instanceof ConversionProcessLost) wish.signal?.throwIfAborted()
    throw error instanceof ConversionProcessLost ? explainedLoss(error, converter, order.limits) : error
  })
  return filesIn(reply, converter, order.limits, log)
}

async function filesIn(
  reply: ConversionReply,
  converter: string,
  { outputBytes }: ConversionLimits,
  log: Log,
): Promise<readonly ConvertedFile[]> {
  switch (reply.kind) {
    case 'made':
      if ((await bytesOf(reply.files)) > outputBytes) throw fileTooLargeToConvert({ converter, reason: losses.tooMuchOutput })
      return reply.files
    case 'refused':
      throw (reply.isTooLarge ? fileTooLargeToConvert : fileNotConvertible)({ converter, reason: reply.message })
    case 'failed':
      log.error({ event: 'conversion.failed', converter, reason: reply.message }, 'a converter failed')
      throw conversionFailed({ converter, reason: 'the converter broke down. An administrator finds more in the log.' })
    case 'ready':
      throw new Error('A conversion process said twice that it is ready.')
  }
}

async function bytesOf(files: readonly ConvertedFile[]): Promise<number> {
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

const losses = {
  outOfTime: 'It takes longer than conversions may take here.',
  outOfMemory: 'It takes more memory than conversions may have here.',
  tooMuchOutput: 'It becomes larger than results of conversions may be here.',
  ended: 'the process that did it ended.',
  aborted: 'it was given up.',
} as const satisfies Record<ConversionLoss, string>

function explainedLoss(error: ConversionProcessLost, converter: string, limits: ConversionLimits): Error {
  const of = { converter, reason: losses[error.reason] }
  switch (error.reason) {
    case 'outOfTime':
      return conversionFailed({ converter, reason: `it took longer than ${limits.milliseconds / 1_000} s.` }, { cause: error })
    case 'outOfMemory':
    case 'tooMuchOutput':
      return fileTooLargeToConvert(of, { cause: error })
    default:
      return conversionFailed(of, { cause: error })
  }
}
