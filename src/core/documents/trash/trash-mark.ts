import type { Document, DocumentId } from '../../../model/document.ts'
import { announce } from '../../event.ts'
import type { SaveOptions } from '../../save-options.ts'
import type { WriteSession } from '../../session.ts'
import { everyPageBelow } from '../every-below.ts'
import { readStoredForUpdate, store } from '../read-for-update.ts'

/** Sets or clears the flag of one document, tells of it, and gives it as it is then. */
export async function mark(session: WriteSession, id: DocumentId, isTrashed: boolean, options: SaveOptions): Promise<Document> {
  // Read anew: it has just been renamed, and a listener may have written to it.
  const document = await readStoredForUpdate(session, id)
  const marked = await store(session, document, { ...document, isTrashed })
  await tell(session, marked, options)
  return marked
}

/** Sets or clears the flag of everything below the path, and tells of each document whose flag was another. */
export async function markBelow(session: WriteSession, path: string, isTrashed: boolean, options: SaveOptions): Promise<void> {
  const marked = new Set(await session.tx.documents.setTrashedBelow(path, isTrashed))
  // There may be very many: without a listener none of them is read.
  if (marked.size === 0 || !isHeard(session, eventOf(isTrashed))) return
  for await (const page of everyPageBelow(session, path)) {
    for (const document of page) if (marked.has(document.id)) await tell(session, document, options)
  }
}

function tell(session: WriteSession, document: Document, options: SaveOptions): Promise<void> {
  return announce(session, eventOf(document.isTrashed), document, { comment: options.comment ?? null, options })
}

function eventOf(isTrashed: boolean): string {
  return isTrashed ? 'documentTrashed' : 'documentUntrashed'
}

function isHeard({ repository: { listeners } }: WriteSession, event: string): boolean {
  return [listeners.inline(event), listeners.afterCommit(event), listeners.asynchronous(event)].some(({ length }) => length > 0)
}
