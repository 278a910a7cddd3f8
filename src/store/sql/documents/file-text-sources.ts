import type { BlobValue } from '../../../model/properties/property.ts'
import { type TextSource, textSourceOf } from '../../file-texts.ts'
import type { SqlConnection } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { fileTexts } from './document-index-statements.ts'

/** Each once. */
export function distinctSources(sources: readonly TextSource[]): readonly TextSource[] {
  return sources.length < 2 ? sources : [...new Map(sources.map((source) => [nameOf(source), source])).values()]
}

/** What is known of the texts of files. */
export interface KnownTexts {
  /** Undefined when nobody has read it yet. */
  find(blob: BlobValue): string | undefined
}

const nothing: KnownTexts = { find: () => undefined }

export async function readKnownTexts(
  connection: SqlConnection,
  dialect: Dialect,
  blobs: readonly BlobValue[],
): Promise<KnownTexts> {
  if (blobs.length === 0) return nothing
  const rows = await connection.all(fileTexts(dialect, distinctSources(blobs.map(textSourceOf))))
  const texts = new Map(
    rows.map(([key, mimeType, text]) => [nameOf({ key: key as string, mimeType: mimeType as string }), text as string]),
  )
  return { find: (blob) => texts.get(nameOf(textSourceOf(blob))) }
}

export function nameOf({ key, mimeType }: TextSource): string {
  return `${key} ${mimeType}`
}
