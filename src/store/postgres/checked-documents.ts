import type { Document, DocumentId } from '../../model/document.ts'
import { type CachedDocument, type CacheUse, createCachedDocuments } from '../cached-documents.ts'
import type { DocumentReader } from '../documents.ts'
import { documentsTooLarge } from '../problems.ts'
import { type ChangeWatch, longestCachedPage } from '../search-through-cache.ts'
import type { SqlRow } from '../sql/connection.ts'
import { documentOf, heavyBytes, idOf } from '../sql/documents/document-row.ts'
import { documentsOfRows } from '../sql/documents/list-documents.ts'
import type { DocumentTable } from '../sql/documents/sql-documents.ts'
import { mayBeStored } from '../storable-text.ts'
import { type Answered, type BatchedLookups, want } from './batched-lookups.ts'
import { seenIn, stampOf } from './lookup-statements.ts'

/** Of a cached document: which row it was made of, and the last state of the database in which that was its row. */
interface Note {
  readonly stamp: string
  checkedAt: string
}

type Cached = CachedDocument<Note>

interface CheckedDocuments extends ChangeWatch<string> {
  readonly documents: DocumentReader
  readonly use: CacheUse
  clear(): void
}

/**
 * Caches documents that were looked up twice, and answers with none that the database was not asked about: either the state in which it
 * was last seen is still that of the database, so that nothing at all was committed since, or the look-up brings the row where
 * it is another one than the cached. So nothing has to be told when something changes, on whatever server of a cluster.
 */
export function createCheckedDocuments(
  table: DocumentTable,
  documents: DocumentReader,
  lookups: BatchedLookups,
  maxDocuments: number,
): CheckedDocuments {
  const cached = createCachedDocuments<Note>(maxDocuments)
  /** Of documents that were read: the row they were made of. */
  const stamps = new WeakMap<Document, string>()

  function isCurrent(one: Cached): boolean {
    return one.note.checkedAt === lookups.known()?.version
  }

  /** Makes the document of a row, unless it is at hand already with what was derived from it. */
  function read(row: SqlRow, checkedAt: string): Document {
    const stamp = stampOf(row)
    const known = cached.find(idOf(row))
    if (known?.note.stamp === stamp) return confirm(known, checkedAt)
    const document = documentOf(table.repository, row)
    stamps.set(document, stamp)
    cached.offer(document, { stamp, checkedAt })
    return document
  }

  function confirm(known: Cached, checkedAt: string): Document {
    known.note.checkedAt = checkedAt
    return known.document
  }

  async function find(id: DocumentId): Promise<Document | undefined> {
    if (!mayBeStored(id)) return undefined
    const known = cached.find(id)
    if (known !== undefined && isCurrent(known)) return known.document
    const answered = await lookups.ask((wanted) => want(wanted.documents, id, known?.note.stamp ?? null))
    const outcome = answered.document(id)
    if (outcome === 'same') return known && confirm(known, answered.state.version)
    if (outcome !== 'none') return read(outcome, answered.state.version)
    cached.delete(id)
    return undefined
  }

  /**
   * Who asks is looked up before what they ask for: where something was committed since it was last checked, both are one round trip. Who
   * then looks for it is told what went wrong.
   */
  function expect(reference: { readonly id: DocumentId } | { readonly path: string }): void {
    const known = 'id' in reference ? cached.find(reference.id) : cached.findByPath(reference.path)
    if (known === undefined || known.note.checkedAt === lookups.lastVersion()) return
    find(known.document.id).catch(() => {})
  }

  async function findByPath(path: string): Promise<Document | undefined> {
    if (!mayBeStored(path)) return undefined
    const known = cached.findByPath(path)
    // As long as it is there no other one can be.
    const stillThere = known && (await find(known.document.id))
    if (stillThere?.path === path) return stillThere
    const { state, byPath } = await lookups.ask(({ paths }) => paths.add(path))
    const row = byPath(path)
    return row && read(row, state.version)
  }

  async function findAll(ids: readonly DocumentId[], maxBytes = Number.POSITIVE_INFINITY): Promise<readonly Document[]> {
    if (ids.length > longestCachedPage) return documents.findAll(ids, maxBytes)
    const atHand = new Map<DocumentId, Cached>()
    for (const id of ids) {
      const known = cached.find(id)
      if (known !== undefined) atHand.set(id, known)
    }
    const open = ids.filter((id) => !isAtHand(atHand.get(id)) && mayBeStored(id))
    const rows = open.length === 0 ? [] : await check(open, atHand)
    let bytes = 0
    for (const one of atHand.values()) bytes += one.bytes
    if (bytes > maxBytes) throw documentsTooLarge({ maxBytes })
    const readNow = new Map(rows.length === 0 ? [] : await readListed(rows, maxBytes))
    return ids.flatMap((id) => atHand.get(id)?.document ?? readNow.get(id) ?? [])
  }

  function isAtHand(known: Cached | undefined): boolean {
    return known !== undefined && isCurrent(known)
  }

  /** Leaves at hand what is as it was; gives the rows of all others that there are. */
  async function check(ids: readonly DocumentId[], atHand: Map<DocumentId, Cached>): Promise<readonly StampedRow[]> {
    const answered: Answered = await lookups.ask(({ listed }) => {
      for (const id of ids) want(listed, id, atHand.get(id)?.note.stamp ?? null)
    })
    const { version } = answered.state
    const rows: StampedRow[] = []
    for (const id of new Set(ids)) {
      const outcome = answered.listed(id)
      const known = atHand.get(id)
      if (outcome === 'same' && known !== undefined) confirm(known, version)
      else atHand.delete(id)
      if (typeof outcome === 'object') rows.push({ row: outcome, checkedAt: version })
    }
    return rows
  }

  /** Large ones, of which a row has only the size, are read once more and not cached. @throws documentsTooLarge */
  async function readListed(
    rows: readonly StampedRow[],
    maxBytes: number,
  ): Promise<readonly (readonly [DocumentId, Document])[]> {
    const light = new Map(rows.filter(({ row }) => heavyBytes(row) === undefined).map((one) => [idOf(one.row), one]))
    const found = await documentsOfRows(
      table,
      rows.map(({ row }) => row),
      maxBytes,
    )
    for (const document of found) {
      const from = light.get(document.id)
      if (from === undefined) continue
      const stamp = stampOf(from.row)
      stamps.set(document, stamp)
      cached.offer(document, { stamp, checkedAt: from.checkedAt })
    }
    return found.map((document) => [document.id, document])
  }

  /** Large ones are read anew each time, here as in one statement, and are left as they are. */
  function hasChanged(found: readonly Document[], since: string): boolean {
    const isSeen = seenIn(since)
    return found.some((document) => {
      const stamp = stamps.get(document)
      return stamp !== undefined && !isSeen(stamp)
    })
  }

  return {
    use: cached.use,
    documents: { ...documents, find, expect, findByPath, findAll },
    begin: async () => (await lookups.readState()).version,
    hasChanged,
    clear: () => cached.clear(),
  }
}

interface StampedRow {
  readonly row: SqlRow
  /** The state of the database that came before it. */
  readonly checkedAt: string
}
