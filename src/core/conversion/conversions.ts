import type { Log } from '../../base/log.ts'
import { Durations, figureOf, gaugeOf, LabelledCounter, type Metrics } from '../../base/metrics.ts'
import { findMimeType } from '../../base/mime-types/mime-type.ts'
import { offTracer, type Tracer } from '../../base/tracing.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import type { BlobContent } from '../blobs/open-blob.ts'
import { storeFile } from '../blobs/store-file.ts'
import { plainMimeType } from '../file-texts/text-extractor.ts'
import type { Repository } from '../session.ts'
import { type CacheKey, cacheKey, findCached, keepResult } from './conversion-cache.ts'
import type { ConversionLimits, Converter } from './converter.ts'
import { type ConversionPlanner, createPlanner, type PlannedStep } from './plan-conversion.ts'
import type { ConvertedFile } from './process/conversion-messages.ts'
import { type ConversionPool, createPool } from './process/conversion-pool.ts'
import { startConversionProcess } from './process/conversion-process.ts'
import { createPrograms, type Programs, programNames } from './programs.ts'
import { type ConversionSource, type ConversionWish, conversionSource, runConversion } from './run-conversion.ts'
import { createSharedRuns } from './shared-runs.ts'

export interface ConversionRules {
  readonly processes: number
  /** Most that one user waits for at the same time; 0: any number. */
  readonly perUser: number
  /** Of the processes, as the system counts it: 19 stands back behind all others. */
  readonly priority: number
  readonly checksSources: boolean
  /** Folders with programs, as PATH has them. */
  readonly searchPath: string
  /** How long results are kept; 0 is not at all. */
  readonly cacheMillis: number
  readonly limits: ConversionLimits
}

/** Who shall do it, or what shall come out. */
export type ConversionTarget = { readonly converter: string } | { readonly type: string }

/** Of a blob, whose result is stored and kept for whoever asks again. */
export interface WantedConversion extends Omit<ConversionWish, 'attached'> {
  readonly repository: Repository
  readonly source: BlobContent
  readonly target: ConversionTarget
  /** Files that the converter is handed beside it. */
  readonly attached?: readonly BlobContent[]
}

/** Makes other files of files. Whatever it runs, it runs in processes with limits: nobody else waits for it. */
export interface Conversions {
  /**
   * The result, and the files that belong to it. They are in the blob store, and collected with others that no document refers to.
   * @throws converterUnknown, converterUnavailable, noConverter, sourceTypeRefused, fileNotConvertible, fileTooLargeToConvert,
   * conversionFailed, nothingConverted, conversionsBusy, tooManyConversions
   */
  convert(wanted: WantedConversion): Promise<readonly BlobValue[]>
  /** The same for files that are looked at and not kept: they are gone when `use` is done. */
  convertFor<Result>(
    source: ConversionSource,
    target: ConversionTarget,
    use: (files: readonly ConvertedFile[]) => Promise<Result>,
    wish?: ConversionWish,
  ): Promise<Result>
  /** Who would do what: throws as `convert` does where that is nothing. */
  readonly planner: ConversionPlanner
  readonly converters: readonly Converter[]
  readonly programs: Programs
  readonly limits: ConversionLimits
  end(): Promise<void>
}

export interface ConversionsOptions {
  readonly converters: readonly Converter[]
  readonly rules: ConversionRules
  readonly log: Log
  readonly metrics?: Metrics
  readonly tracer?: Tracer
}

export function createConversions({ converters, rules, log, metrics, tracer = offTracer }: ConversionsOptions): Conversions {
  const { limits } = rules
  const programs = createPrograms(rules.searchPath, (found) =>
    log.info(
      { event: 'conversion.programs', found: [...found.keys()], missing: programNames.filter((name) => !found.has(name)) },
      'looked for programs that convert files; quire doctor says what missing ones cost',
    ),
  )
  const planner = createPlanner({
    converters,
    checksSources: rules.checksSources,
    has: (name) => programs.find(name) !== undefined,
  })
  const pool = createPool({
    processes: rules.processes,
    perUser: rules.perUser,
    start: () => startConversionProcess(limits, rules.priority),
    keptBytes: limits.memoryBytes / 2,
  })
  const shared = createSharedRuns<readonly BlobValue[]>()
  const running = { pool, programs, limits, log }
  const measures = createMeasures(pool, tracer)
  /** Results that are being noted: nobody waits for that but whoever asks for the same, and the end. */
  const keeping = new Map<string, Promise<void>>()
  metrics?.add(measures.families)

  const planFor = (mimeType: string, target: ConversionTarget) =>
    'converter' in target ? planner.byName(target.converter, mimeType) : planner.byType(mimeType, plainMimeType(target.type))

  const convertFor: Conversions['convertFor'] = async (source, target, use, wish = {}) => {
    const steps = planFor(plainMimeType(source.mimeType), target)
    return measures.run(steps, () => runConversion(running, steps, source, use, wish))
  }

  function keep(repository: Repository, key: CacheKey, files: readonly BlobValue[]): void {
    const kept = keepResult(repository, key, files, rules.cacheMillis)
      .catch((err) =>
        log.warn({ event: 'conversion.notKept', err }, 'a result could not be noted, and is made again for the next'),
      )
      .finally(() => keeping.delete(key))
    keeping.set(key, kept)
  }

  async function convert({
    repository,
    source,
    target,
    attached = [],
    ...wish
  }: WantedConversion): Promise<readonly BlobValue[]> {
    const { blob } = source
    const { parameters = {} } = wish
    const steps = planFor(plainMimeType(blob['mime-type'] ?? ''), target)
    if (steps.length === 0) return [blob]
    const all = [source, ...attached]
    const key = cacheKey({ steps, sources: all.map((one) => one.blob), parameters })
    // What a note says is no file: its key is no address of bytes.
    const isKept = rules.cacheMillis > 0 && all.every(({ bytes }) => bytes === undefined)
    await keeping.get(key)
    const cached = isKept ? await findCached(repository, key) : undefined
    if (cached !== undefined) {
      measures.noteCached()
      return named(cached.files, blob.name)
    }
    const make = async (signal: AbortSignal | undefined) => {
      const others = attached.map((one) => conversionSource(repository, one))
      const use = (made: readonly ConvertedFile[]) => storeAll(repository, made)
      const files = await measures.run(steps, () =>
        runConversion(running, steps, conversionSource(repository, source), use, { ...wish, signal, attached: others }),
      )
      if (isKept) keep(repository, key, files)
      return files
    }
    // Whoever waits for an answer does not wait with what is made in the background.
    const run = `${wish.isBackground ? 'later' : 'now'} ${key}`
    return named(await (isKept ? shared.run(run, make, wish.signal) : make(wish.signal)), blob.name)
  }

  async function end(): Promise<void> {
    await pool.end()
    await Promise.all(keeping.values())
  }

  return { convert, convertFor, planner, converters, programs, limits, end }
}

function createMeasures(pool: ConversionPool, tracer: Tracer) {
  const conversions = new LabelledCounter(
    'quire_conversions_total',
    'Conversions of files by outcome; cached ones had been made before',
  )
  const durations = new Durations('quire_conversion_duration_seconds', 'Time that conversions took, with waiting for a process')
  return {
    families: () => [
      conversions.family(),
      durations.family(),
      gaugeOf('quire_conversions_running', 'Conversions under way', [figureOf(pool.running)]),
      gaugeOf('quire_conversions_waiting', 'Conversions that wait for a process', [figureOf(pool.waiting)]),
    ],
    noteCached: () => conversions.add({ outcome: 'cached' }),
    async run<Result>(steps: readonly PlannedStep[], work: () => Promise<Result>): Promise<Result> {
      const since = performance.now()
      let outcome = 'failed'
      try {
        const attributes = { 'quire.converters': steps.map(({ converter }) => converter).join(' ') }
        const result = await tracer.run({ name: 'conversion', attributes }, work)
        outcome = 'done'
        return result
      } finally {
        conversions.add({ outcome })
        durations.add({}, since)
      }
    },
  }
}

async function storeAll({ blobs }: Repository, files: readonly ConvertedFile[]): Promise<readonly BlobValue[]> {
  const stored: BlobValue[] = []
  for (const { path, name, mimeType, encoding } of files) {
    const written = await storeFile(blobs, path)
    stored.push({ ...written, name, 'mime-type': mimeType, encoding })
  }
  return stored
}

/** A result without a name has that of the source, with the extension of what it is (contract: blobs 6.3). */
function named(files: readonly BlobValue[], sourceName: string | null): readonly BlobValue[] {
  return files.map((file) => (file.name === null ? { ...file, name: resultName(sourceName, file['mime-type'] ?? '') } : file))
}

export function resultName(sourceName: string | null, mimeType: string): string {
  const bare = (sourceName ?? '').replace(/\.[^./\\]*$/, '') || sourceName || 'file'
  return `${bare}.${findMimeType(mimeType)?.extensions[0] ?? 'bin'}`
}
