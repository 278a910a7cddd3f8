import { systemAccess } from '../../../core/access.ts'
import { bringEntries, type CarriedEntry } from '../../audit/index.ts'
import { readHistory } from '../format/history-line.ts'
import { linesOf } from './check-archive.ts'
import type { DocumentsImport } from './import-documents.ts'
import { type ImportState, requireState, saveImportState } from './import-state.ts'

type HistoryImport = Pick<DocumentsImport, 'archive' | 'repository' | 'ids' | 'key' | 'checkStop'>

const rowsAtOnce = 1_000

/** Brings the rows of the log that an earlier run has not, and gives how far that is. */
export async function importHistory(run: HistoryImport, before: ImportState): Promise<ImportState> {
  const { archive, repository, ids, key, checkStop } = run
  let state = before
  for await (const page of linesOf(archive, 'audit', rowsAtOnce)) {
    checkStop?.()
    const lines = page.filter(({ index }) => index >= before.audit)
    if (lines.length === 0) continue
    const entries = lines.map(({ text, place }) => readHistory(ids.rewrite(text), place))
    const own = entries.map((entry) => inRepository(entry, archive.manifest.repository, repository.name))
    const next: ImportState = { ...state, audit: state.audit + lines.length }
    const from = state
    await systemAccess(repository).write(async ({ tx }) => {
      await requireState(tx, key, from)
      await bringEntries(tx.tables, own)
      await saveImportState(tx, key, next)
    })
    state = next
  }
  return state
}

function inRepository(entry: CarriedEntry, from: string, to: string): CarriedEntry {
  return entry.repositoryId === from ? { ...entry, repositoryId: to } : entry
}
