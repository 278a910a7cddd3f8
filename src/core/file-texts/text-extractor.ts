import type { Readable } from 'node:stream'

/** A file whose text is wanted. */
export interface FileToRead {
  readonly content: Readable
  /** The same from its beginning, for who has to read it once more. */
  readAgain(): Promise<Readable>
  readonly name: string | null
  /** In lower case and without parameters: `text/plain`. */
  readonly mimeType: string
  /** What the file is said to be encoded in; null when the client did not say. */
  readonly encoding: string | null
  /** Characters that will be stored of the text; undefined is all. */
  readonly sizeLimit: number | undefined
}

/**
 * Reads the text of some kinds of files, so that full text finds their documents. The first one that accepts a file reads it. It
 * works outside of any transaction and may take its time; what it throws is logged, and the file then has no text.
 * @example
 * const readSubtitles: TextExtractor = {
 *   name: 'subtitles',
 *   accepts: (mimeType) => mimeType === 'application/x-subrip',
 *   extract: async ({ content }) => (await content.setEncoding('utf8').toArray()).join(''),
 * }
 */
export interface TextExtractor {
  readonly name: string
  accepts(mimeType: string): boolean
  extract(file: FileToRead): Promise<string>
}

/** What a MIME type is without its parameters. */
export function plainMimeType(mimeType: string): string {
  return mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
