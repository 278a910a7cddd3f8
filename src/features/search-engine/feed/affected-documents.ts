import type { DocumentId } from '../../../model/document.ts'
import type { DocumentReader } from '../../../store/documents.ts'
import { type OutboxEvent, removalEvents } from '../../outbox/index.ts'

/** With these everything below a document is another one, too: its path, its rights, whether it is in the trash, that it is there. */
const subtreeEvents: ReadonlySet<string> = new Set([
  'documentMoved',
  'documentSecurityUpdated',
  'documentTrashed',
  'documentUntrashed',
  'documentCreatedByCopy',
])

/** What happened, as far as it matters to an index. */
export interface AffectedRoots {
  /** Of documents, each once. */
  readonly ids: readonly DocumentId[]
  /** Those of which all below is affected. */
  readonly subtrees: readonly DocumentId[]
  /** Those that are gone, and with them what was below. */
  readonly removed: readonly DocumentId[]
}

export function affectedRoots(events: readonly OutboxEvent[]): AffectedRoots {
  const [ids, subtrees, removed] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { event, document } of events) {
    if (document === undefined) continue
    ids.add(document.id)
    if (subtreeEvents.has(event)) subtrees.add(document.id)
    if (removalEvents.has(event)) removed.add(document.id)
  }
  return { ids: [...ids], subtrees: [...subtrees], removed: [...removed] }
}

const idsAtOnce = 200

/**
 * The documents that are another than they were, or may be, some at a time: themselves, their versions and proxies, and what is below
 * with its versions and proxies. An event tells of one document; rows of others follow it without a word.
 */
export async function* everyAffected(
  documents: Pick<DocumentReader, 'listIdsOfSeries' | 'listBelow' | 'find'>,
  { ids, subtrees }: AffectedRoots,
): AsyncGenerator<readonly DocumentId[]> {
  for (let start = 0; start < ids.length; start += idsAtOnce) yield* withSeries(documents, ids.slice(start, start + idsAtOnce))
  for (const root of subtrees) {
    const path = (await documents.find(root))?.path
    if (path === undefined || path === null) continue
    for (let after: string | undefined; ; ) {
      const below = await documents.listBelow(path, after, idsAtOnce)
      if (below.length > 0)
        yield* withSeries(
          documents,
          below.map(({ id }) => id),
        )
      const last = below.at(-1)?.path
      if (below.length < idsAtOnce || last === undefined || last === null) break
      after = last
    }
  }
}

async function* withSeries(
  documents: Pick<DocumentReader, 'listIdsOfSeries'>,
  ids: readonly DocumentId[],
): AsyncGenerator<readonly DocumentId[]> {
  yield ids
  for (let after = 0; ; ) {
    const page = await documents.listIdsOfSeries(ids, after, idsAtOnce)
    if (page.length > 0) yield page.map(({ id }) => id)
    if (page.length < idsAtOnce) return
    after = page.at(-1)?.seq ?? after
  }
}
