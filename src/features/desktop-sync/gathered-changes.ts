import { ancestorPaths } from '../../core/documents/ancestors.ts'
import type { DocumentEvent, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { collectionIds } from '../collections/index.ts'
import { type NewChange, writeChange } from './change-rows.ts'
import { leadingEvent } from './leading-event.ts'

/** What happened to the documents of a transaction: each of them once, with what a client heeds most. */
export interface Gathering {
  /** @param folders where it is or was; what it is in may be a root @param also may be a root as well */
  touch(
    document: Document,
    change: Omit<NewChange, 'documentId'>,
    folders: readonly (DocumentId | null)[],
    also?: readonly DocumentId[],
  ): Promise<void>
  write(): Promise<void>
}

interface Touched extends NewChange {
  readonly candidates: Set<DocumentId>
}

export function createGathering(session: WriteSession): Gathering {
  const touched = new Map<DocumentId, Touched>()
  const listPlace = createPlaces(session)
  return {
    async touch(document, { event, date, wasAcpId }, folders, also = []) {
      const before = touched.get(document.id)
      const candidates = before?.candidates ?? new Set<DocumentId>()
      for (const id of [document.id, ...collectionIds(document), ...also]) candidates.add(id)
      for (const folder of folders) if (folder !== null) for (const id of await listPlace(folder)) candidates.add(id)
      touched.set(document.id, {
        documentId: document.id,
        event: leadingEvent(before?.event, event),
        date,
        wasAcpId: before?.wasAcpId ?? wasAcpId,
        candidates,
      })
    },
    async write() {
      for (const { candidates, ...change } of touched.values()) await writeChange(session, change, candidates)
    },
  }
}

/** A folder, all that it is in, and the collections that these are in: whatever of it is a root is concerned by what happens there. */
function createPlaces({ tx: { documents } }: WriteSession): (folder: DocumentId) => Promise<readonly DocumentId[]> {
  const known = new Map<DocumentId, Promise<readonly DocumentId[]>>()
  const find = async (id: DocumentId) => {
    const folder = await documents.find(id)
    if (folder === undefined || folder.path === null) return []
    const above = folder.path === '/' ? [] : await documents.findAllByPath(['/', ...ancestorPaths(folder.path)])
    return [...above, folder].flatMap((one) => [one.id, ...collectionIds(one)])
  }
  return (id) => {
    const found = known.get(id) ?? find(id)
    known.set(id, found)
    return found
  }
}

/** What is below a document of which one of these is told comes or goes with it: clients look through a folder that comes. */
export const comesWithAll: ReadonlySet<string> = new Set(['documentCreated', 'documentImported', 'documentUntrashed'])
export const goesWithAll: ReadonlySet<string> = new Set(['documentTrashed'])

/** Tells of the events of a transaction, in their order, whether what they tell comes with what was told of a folder above. */
export function createCover(): (event: DocumentEvent) => boolean {
  const come = new Set<string>()
  const gone = new Set<string>()
  return ({ name, document: { path } }) => {
    const above = comesWithAll.has(name) ? come : goesWithAll.has(name) ? gone : undefined
    if (above === undefined || path === null) return false
    const isBelow = ancestorPaths(path).some((ancestor) => above.has(ancestor))
    above.add(path)
    return isBelow
  }
}
