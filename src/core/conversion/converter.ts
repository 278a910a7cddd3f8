import { extname } from 'node:path'
import { defineProblem } from '../../base/problem.ts'
import type { ProgramName } from './programs.ts'

/**
 * Turns files of some types into files of another. Which does it for a file is chosen by name, or by the types.
 * @example
 * const subtitlesToText: Converter = {
 *   name: 'subtitles2text', sources: ['application/x-subrip'], destinations: ['text/plain'],
 *   ways: [{ module: new URL('./subtitles-to-text.ts', import.meta.url) }],
 * }
 */
export type Converter = WorkingConverter | NamedChain | TypedChain | Dispatcher

interface ConverterBase {
  readonly name: string
  /** What it takes: types, `image/*`, or `*` for all. */
  readonly sources: readonly string[]
  /** What it gives, the usual one first. */
  readonly destinations: readonly string[]
}

/** Does it itself, in one of several ways: the first that takes the type and whose programs are there. */
export interface WorkingConverter extends ConverterBase {
  readonly ways: readonly ConverterWay[]
}

/** Has others do it one after another, each with what the one before it made. */
export interface NamedChain extends ConverterBase {
  readonly steps: readonly string[]
}

/** The same, by the types that come in between and at last: who makes each of the other is chosen by them. */
export interface TypedChain extends ConverterBase {
  readonly types: readonly string[]
}

/** Has others do it, by what the file is. */
export interface Dispatcher extends ConverterBase {
  /** The converters, in their order, for a file of a type; none when there is no way. */
  dispatch(mimeType: string, known: DispatchKnowledge): readonly string[]
}

/** What a dispatcher decides by. */
export interface DispatchKnowledge {
  /** Whether a converter takes the type and could convert it at present. */
  can(converter: string): boolean
  has(program: ProgramName): boolean
  /** Who makes that of the type, of those that are not for all types. */
  findSpecific(target: string): string | undefined
}

export interface ConverterWay {
  /** A module whose default export is a `ConverterWork`. It is loaded where conversions run, which is never the server itself. */
  readonly module: URL
  /** Of the sources of the converter those it takes; all when absent. */
  readonly sources?: readonly string[]
  /** Programs that must be there, beside Node.js. */
  readonly needs?: readonly ProgramName[]
  /** Told to the work as they are, so that several converters can share a module. */
  readonly options?: WayOptions
  /** So many times as long as others it may take. */
  readonly patience?: number
}

/**
 * The module `converters/<name>` beside a module that declares converters: TypeScript in the sources, JavaScript in the bundle, where all
 * are in one folder.
 */
export function converterModule(declaring: string, name: string): URL {
  return new URL(extname(declaring) === '.ts' ? `./converters/${name}.ts` : `./${name}.js`, declaring)
}

export type WayOptions = { readonly [name: string]: string | number | boolean }

export type ConversionParameters = { readonly [name: string]: string }

/** How much one conversion may take. */
export interface ConversionLimits {
  readonly milliseconds: number
  /** Of all processes of it together. */
  readonly memoryBytes: number
  /** Of all files that it makes together. */
  readonly outputBytes: number
  /** Of an archive, and of a document that is one. */
  readonly entries: number
  readonly pages: number
  readonly pixels: number
}

/** Beyond what nice knows: a processor that anybody else wants is left to them at once, and not at the end of a slice of time. */
export const idlePriority = 20

/** A file of the conversion's own, which it may read as often as it likes. */
export interface StagedFile {
  readonly path: string
  readonly name: string | null
  /** In lower case and without parameters. */
  readonly mimeType: string
  readonly encoding: string | null
}

/** What a conversion is handed where it runs. */
export interface ConversionJob {
  readonly source: StagedFile
  /** Files that came with it, where the call brought some: what is joined to it, or laid over it. */
  readonly attached: readonly StagedFile[]
  readonly converter: string
  /** The type that was asked for, one of the destinations of the converter. */
  readonly target: string
  /** What the client added to the call. */
  readonly parameters: ConversionParameters
  readonly options: WayOptions
  readonly limits: ConversionLimits
  /** Empty, its own, and gone after the conversion. */
  readonly folder: string
  /** Runs a program to its end, in the folder and without a network. @throws ConversionRefusal when it fails. */
  run(program: ProgramName, args: readonly string[], options?: ProgramRun): Promise<ProgramOutput>
  /** Whether the program is there. */
  has(program: ProgramName): boolean
  /** Gives up, and says what is wrong with the file, in a sentence for its owner. */
  refuse(sentence: string): never
}

export interface ProgramRun {
  /** Exit codes that are no failure beside 0. */
  readonly accepts?: readonly number[]
  readonly environment?: { readonly [name: string]: string }
}

export interface ProgramOutput {
  readonly stdout: Buffer
  readonly stderr: string
}

/** A file that a conversion made: where it lies in its folder, or the bytes themselves. */
export interface MadeFile {
  readonly path?: string
  readonly bytes?: Uint8Array | string
  /** That of the source with the extension of the type when absent. */
  readonly name?: string
  /** The target of the job when absent. */
  readonly mimeType?: string
  readonly encoding?: string
}

/** The first file is the result; others belong to it. None at all: there is nothing to show. */
export type ConverterWork = (job: ConversionJob) => Promise<readonly MadeFile[]>

/** Thrown by a conversion: what is wrong with the file, as a sentence for its owner. */
export class ConversionRefusal extends Error {
  /** Whether it is too large in some way rather than damaged. */
  readonly isTooLarge: boolean

  constructor(message: string, { isTooLarge = false, cause }: { isTooLarge?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'ConversionRefusal'
    this.isTooLarge = isTooLarge
  }
}

// Clients tell these two apart by their words (contract: blobs 6.1).
export const converterUnknown = defineProblem(
  'converterUnknown',
  'notFound',
  (of: { converter: string }) => `The '${of.converter}' converter is not registered`,
)

export const converterUnavailable = defineProblem(
  'converterUnavailable',
  'invalid',
  (of: { converter: string; missing: readonly string[] }) =>
    `The '${of.converter}' converter is not available${of.missing.length === 0 ? '' : `: it needs ${of.missing.join(', ')} on the server`}`,
)

export const noConverter = defineProblem(
  'noConverter',
  'invalid',
  (of: { from: string; to: string }) => `There is no converter that makes ${of.to} of ${of.from}.`,
)

export const sourceTypeRefused = defineProblem(
  'sourceTypeRefused',
  'invalid',
  (of: { converter: string; mimeType: string }) =>
    `The converter ${of.converter} does not take files of the type ${of.mimeType}. Choose another, or name the type that you want.`,
)

/** The type without its parameters, as converters name it. */
export function acceptsType(sources: readonly string[], mimeType: string): boolean {
  return sources.some((source) => source === '*' || source === mimeType || source === familyOf(mimeType))
}

/** `image/*` */
export function familyOf(mimeType: string): string {
  return `${mimeType.split('/', 1)[0]}/*`
}
