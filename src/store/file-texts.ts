import { typedName } from '../base/typed-name.ts'
import type { DocumentId } from '../model/document.ts'
import type { BlobValue } from '../model/properties/property.ts'

/** What decides about the text of a file: its bytes, and what they are said to be. */
export interface TextSource {
  readonly key: string
  readonly mimeType: string
}

/** The kind of job that reads the files of `documentIds` whose text is not known yet. */
export const readTextsKind = typedName<{ readonly documentIds: readonly DocumentId[] }>('extractText')

/** A document, and those of its files whose text was not read yet. */
export interface AwaitingText {
  readonly documentId: DocumentId
  readonly sources: readonly TextSource[]
}

export function textSourceOf(blob: BlobValue): TextSource {
  return { key: blob.key, mimeType: blob['mime-type'] ?? '' }
}

export interface FileTextReader {
  /** The texts that are known of these files. */
  list(sources: readonly TextSource[]): Promise<readonly string[]>
  /** Those whose text is not stored yet, each once. */
  listUnread(sources: readonly TextSource[]): Promise<readonly TextSource[]>
}

/** The texts of files, by which full text finds all documents that have the file. */
export interface FileTextWriter extends FileTextReader {
  /** What was read from a file. It does not reach documents by itself: see `index`. */
  save(source: TextSource, text: string): Promise<void>
  /** Has full text find the document by all that is known of its files by now. */
  index(id: DocumentId): Promise<void>
}
