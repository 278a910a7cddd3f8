import type { ConversionJob } from '../converter.ts'
import type { ProgramName } from '../programs.ts'

/** What a server has a conversion process do. */
export interface ConversionOrder extends Omit<ConversionJob, 'run' | 'has' | 'refuse'> {
  readonly module: string
  readonly programs: ReadonlyMap<ProgramName, string>
}

/** A file in the folder of the conversion. */
export interface ConvertedFile {
  readonly path: string
  readonly length: number
  readonly name: string | null
  readonly mimeType: string
  readonly encoding: string | null
}

/** What a conversion process says. */
export type ConversionReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'made'; readonly files: readonly ConvertedFile[] }
  /** The file cannot be converted, whoever tries. */
  | { readonly kind: 'refused'; readonly message: string; readonly isTooLarge: boolean }
  | { readonly kind: 'failed'; readonly message: string }
