import type { Document } from '../../src/model/document.ts'
import type { DocumentWriter } from '../../src/store/documents.ts'
import { createDocumentCache } from '../../src/store/sqlite/document-cache.ts'

/** A store of documents that counts how often it is asked, of which at most two are cached. */
export function aCachedStore(...documents: Document[]) {
  const asked: string[] = []
  const stored = new Map(documents.map((document) => [document.id, document]))
  const uncommitted = new Set<string>()
  let others: 'any' | ReadonlySet<string> | undefined
  const reader = {
    async find(id: string) {
      asked.push(id)
      return stored.get(id)
    },
    async findByPath(path: string) {
      asked.push(path)
      return [...stored.values()].find((document) => document.path === path)
    },
    async findAll(ids: readonly string[]) {
      asked.push(...ids)
      return ids.flatMap((id) => stored.get(id) ?? [])
    },
    findForShare: async (document: Document) => document,
  } as unknown as DocumentWriter
  const meetOthers = () => {
    if (others !== undefined) cache.invalidate(others)
    others = undefined
  }
  const cache = createDocumentCache(reader, meetOthers, 2)
  return {
    asked,
    documents: cache.documents,
    /** The look-ups of a transaction that has changed these. */
    within: (...changed: Document[]) =>
      cache.within(reader, (id) => uncommitted.has(id) || changed.some((document) => document.id === id)),
    /** As an open transaction does. */
    write(document: Document) {
      uncommitted.add(document.id)
      stored.set(document.id, document)
    },
    changes: cache,
    /** As another process does. */
    commitElsewhere(document: Document) {
      others = new Set([document.id])
      stored.set(document.id, document)
    },
    commitAnythingElsewhere() {
      others = 'any'
    },
    commitHere(...changed: Document[]) {
      for (const document of changed) stored.set(document.id, document)
      cache.invalidate(new Set(changed.map(({ id }) => id)))
    },
    commitAnythingHere: () => cache.invalidate('any'),
    /** Looks documents up until they are cached, and forgets having been asked. */
    async keep(...found: Document[]) {
      for (const { id } of [...found, ...found]) await cache.documents.find(id)
      asked.length = 0
    },
  }
}

export type CachedStore = ReturnType<typeof aCachedStore>
