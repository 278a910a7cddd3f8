import type { FileTextReader, FileTextWriter } from '../../file-texts.ts'
import { madeStorable } from '../../storable-text.ts'
import type { SqlConnection } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { type DocumentIndex, distinctSources, nameOf, numberedOf } from './document-index.ts'
import { fileTexts, indexedDocument, readFiles, saveFileText } from './document-index-statements.ts'

export function createFileTextReader(connection: SqlConnection, dialect: Dialect): FileTextReader {
  return {
    async list(sources) {
      if (sources.length === 0) return []
      return (await connection.all(fileTexts(dialect, distinctSources(sources)))).map(([, , text]) => text as string)
    },
    async listUnread(sources) {
      if (sources.length === 0) return []
      const rows = await connection.all(readFiles(dialect, sources))
      const read = new Set(rows.map(([key, mimeType]) => nameOf({ key: key as string, mimeType: mimeType as string })))
      return distinctSources(sources).filter((source) => !read.has(nameOf(source)))
    },
  }
}

export function createFileTextWriter(connection: SqlConnection, dialect: Dialect, index: DocumentIndex): FileTextWriter {
  return {
    ...createFileTextReader(connection, dialect),
    async save({ key, mimeType }, text) {
      await connection.run(saveFileText(key, mimeType, madeStorable(text)))
    },
    async index(id) {
      const row = await connection.get(indexedDocument(dialect, id))
      if (row !== undefined) await index.replaceWords([numberedOf(row)])
    },
  }
}
