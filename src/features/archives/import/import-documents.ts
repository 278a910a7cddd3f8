import { systemAccess } from '../../../core/access.ts'
import type { Repository, WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { blobsIn } from '../../../model/properties/property.ts'
import { type DocumentLine, readLine } from '../format/document-line.ts'
import type { ReadableArchive } from '../source/archive-source.ts'
import { linesOf } from './check-archive.ts'
import type { IdMap } from './id-map.ts'
import { type ArchiveImportRun, advanceRun, type ImportState } from './import-state.ts'
import { placeDocuments } from './place-documents.ts'
import type { StagedFiles } from './stage-files.ts'

export interface DocumentsImport {
  readonly archive: ReadableArchive
  readonly repository: Repository
  /** Where a tree goes; undefined for a whole repository. */
  readonly target: Document | undefined
  readonly ids: IdMap
  readonly files: StagedFiles
  readonly run: ArchiveImportRun
  /** Runs in the first transaction, before anything else. */
  begin(session: WriteSession): Promise<void>
  onDocuments?(count: number): void
  /** @throws */
  checkStop?(): void
}

// Few enough that the writer of SQLite is soon free for the server beside it.
const documentsAtOnce = 200

/** Brings what an earlier run has not, some documents in a transaction, and gives how far that is. */
export async function importDocuments(run: DocumentsImport, before: ImportState): Promise<ImportState> {
  let state = before
  for await (const lines of linesOf(run.archive, 'documents', documentsAtOnce)) {
    run.checkStop?.()
    const batch = lines.filter(({ index }) => index >= before.documents)
    if (batch.length === 0) continue
    const archived = batch.map((line) => mapped(run.ids, readLine(run.ids.rewrite(line.text), line.place)))
    await run.files.require(keysIn(archived))
    state = await writeBatch(run, state, archived)
    run.onDocuments?.(batch.length)
  }
  return state
}

/** Ids that are no UUIDs were not found among the texts of the line. */
function mapped(ids: IdMap, archived: DocumentLine): DocumentLine {
  const { id, parentId, targetId, seriesId, baseVersionId } = archived.document
  const own = archived.part === 'shown' ? id : ids.of(id)
  return {
    ...archived,
    document: {
      ...archived.document,
      id: own,
      parentId: ids.of(parentId),
      targetId: ids.of(targetId),
      seriesId: ids.of(seriesId),
      baseVersionId: ids.of(baseVersionId),
    },
  }
}

function keysIn(archived: readonly DocumentLine[]): ReadonlySet<string> {
  const values = archived.flatMap(({ document }) => Object.values(document.properties))
  return new Set(values.flatMap(blobsIn).map(({ key }) => key))
}

function writeBatch(
  { repository, target, archive, ids, files, run, begin }: DocumentsImport,
  before: ImportState,
  archived: readonly DocumentLine[],
): Promise<ImportState> {
  const placing = { target, rootId: ids.of(archive.manifest.root.uid), keyOf: files.keyOf }
  return systemAccess(repository).write(async (session) => {
    const save = await advanceRun(session.tx, run, before)
    if (before.documents === 0) await begin(session)
    const { documents, leftOut } = await placeDocuments(session, placing, archived)
    await session.tx.documents.insertMany(documents)
    const state = {
      ...before,
      documents: before.documents + archived.length,
      imported: before.imported + documents.length,
      leftOut: before.leftOut + leftOut,
    }
    await save(state)
    return state
  })
}
