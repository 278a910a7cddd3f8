import { yieldToEventLoop } from '../../../base/event-loop.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { documentsTooLarge } from '../../problems.ts'
import type { SqlConnection, SqlRow } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { documentOf, heavyBytes, idOf, lightBytes } from './document-row.ts'
import { documentsById } from './document-statements.ts'

// So much is read in a few milliseconds.
const bytesAtOnce = 4_000_000

/**
 * The documents of rows with `listedColumns`. Most documents are small, and there is nothing left to read; what large ones hold is
 * read only when all of them together are not too large.
 * @throws documentsTooLarge
 */
export async function documentsOfRows(
  { connection, dialect, repository }: { connection: SqlConnection; dialect: Dialect; repository: string },
  rows: readonly SqlRow[],
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<readonly Document[]> {
  const heavy: Heavy[] = []
  let bytes = 0
  for (const row of rows) {
    const size = heavyBytes(row)
    if (size !== undefined) heavy.push({ id: idOf(row), size })
    bytes += size ?? lightBytes(row)
  }
  if (bytes > maxBytes) throw documentsTooLarge({ maxBytes })
  if (heavy.length === 0) return rows.map((row) => documentOf(repository, row))
  const read = new Map<DocumentId, Document>()
  for (const ids of portionsOf(heavy)) {
    for (const row of await connection.all(documentsById(dialect, ids))) read.set(idOf(row), documentOf(repository, row))
    await yieldToEventLoop()
  }
  // One that was removed meanwhile is left out, as it would be a moment later.
  return rows.flatMap((row) => (heavyBytes(row) === undefined ? documentOf(repository, row) : (read.get(idOf(row)) ?? [])))
}

interface Heavy {
  readonly id: DocumentId
  readonly size: number
}

function* portionsOf(heavy: readonly Heavy[]): Generator<readonly DocumentId[]> {
  let ids: DocumentId[] = []
  let bytes = 0
  for (const { id, size } of heavy) {
    if (ids.length > 0 && bytes + size > bytesAtOnce) {
      yield ids
      ids = []
      bytes = 0
    }
    ids.push(id)
    bytes += size
  }
  yield ids
}
