import { mayRead } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import {
  type AuditFilter,
  countEntries,
  type EntryWindow,
  fieldIn,
  findEntries,
  type HistorySource,
  listPaths,
} from './audit-query.ts'
import type { LogEntry } from './log-entry.ts'

/** A page of the history of a document, and how many rows that has. */
export interface HistoryPage {
  readonly values: readonly LogEntry[]
  total(): Promise<number>
}

/**
 * The rows of a document and of what it comes from, for somebody who may read it now. It may have been where they may not look: no row
 * tells them the folder, nor does a filter or the order of the rows. @throws unsortableEntryField
 */
export async function listHistory(
  session: Session,
  sources: readonly HistorySource[],
  filter: AuditFilter,
  window: EntryWindow,
): Promise<HistoryPage> {
  const asked = { ...(await withReadableFilter(session, sources, filter)), sources }
  const found = await findEntries(session, asked, await withReadableOrder(session, sources, window))
  return {
    values: await withReadablePlaces(session, sources, found),
    total: () => countEntries(session, asked, window, found.length),
  }
}

/** Nothing has been at an empty path. */
const nowhere = ''

async function withReadableFilter(
  session: Session,
  sources: readonly HistorySource[],
  filter: AuditFilter,
): Promise<AuditFilter> {
  const { docPath } = filter
  if (docPath === undefined) return filter
  const isShown = await readablePaths(session, sources, [docPath])
  return isShown(docPath) ? filter : { ...filter, docPath: nowhere }
}

async function withReadableOrder(session: Session, sources: readonly HistorySource[], window: EntryWindow): Promise<EntryWindow> {
  const { sort = [] } = window
  if (session.principal.isAdministrator || !sort.some(tellsPlaces)) return window
  const paths = await listPaths(session, sources)
  const isShown = await readablePaths(session, sources, paths)
  return paths.every(isShown) ? window : { ...window, sort: sort.filter((one) => !tellsPlaces(one)) }
}

/** Rows of moves have the folder in their comment: among comments that one writes oneself its place would give it away. */
function tellsPlaces({ column }: { readonly column: string }): boolean {
  return ['docPath', 'comment'].includes(fieldIn(column))
}

/** For a path that is not the caller's to know stands the one where the document is now, and for the folder that it was moved from nothing. */
async function withReadablePlaces(
  session: Session,
  sources: readonly HistorySource[],
  entries: readonly LogEntry[],
): Promise<readonly LogEntry[]> {
  if (session.principal.isAdministrator) return entries
  const isShown = await readablePaths(
    session,
    sources,
    entries.flatMap(({ docPath }) => docPath ?? []),
  )
  const present = new Map(sources.map(({ documentId, path = null }) => [documentId, path]))
  const shownPath = ({ docUUID, docPath }: LogEntry) =>
    docPath === null || isShown(docPath) ? docPath : (present.get(docUUID ?? '') ?? null)
  const left = await readableAmong(session, await session.reader.documents.findAll(entries.flatMap(folderLeftIn)))
  const leftIds = new Set(left.map(({ id }) => id))
  const shownComment = (entry: LogEntry) => (folderLeftIn(entry).every((id) => leftIds.has(id)) ? entry.comment : null)
  return entries.map((entry) => ({ ...entry, docPath: shownPath(entry), comment: shownComment(entry) }))
}

/** The row of a move says in its comment from which folder, as `<repository>:<id>`. */
function folderLeftIn({ eventId, comment }: LogEntry): readonly string[] {
  return eventId === 'documentMoved' && comment !== null ? [comment.slice(comment.indexOf(':') + 1)] : []
}

/** Whether each of the paths is for the caller: who knows where a document is knows of the folder it is in, and else who may read that. */
async function readablePaths(
  session: Session,
  sources: readonly HistorySource[],
  paths: readonly string[],
): Promise<(path: string) => boolean> {
  if (session.principal.isAdministrator) return () => true
  const readable = new Set(sources.flatMap(({ path }) => (path == null ? [] : folderOf(path))))
  const others = new Set(paths.map(folderOf).filter((folder) => !readable.has(folder)))
  if (others.size > 0) {
    const folders = await readableAmong(session, await session.reader.documents.findAllByPath([...others]))
    for (const { path } of folders) if (path !== null) readable.add(path)
  }
  return (path) => readable.has(folderOf(path))
}

async function readableAmong(session: Session, documents: readonly Document[]): Promise<readonly Document[]> {
  const readable: Document[] = []
  for (const document of documents) if (await mayRead(session, document)) readable.push(document)
  return readable
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}
