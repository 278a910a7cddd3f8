import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import type { FoundItem, Item, ItemTree } from './item-tree.ts'
import { createScrollIds, type ScrollIds } from './scroll-ids.ts'
import { readSyncSecret } from './sync-secret.ts'

export interface ScrollRequest {
  readonly scrollId: string | undefined
  readonly batchSize: number
  readonly keepAliveMilliseconds: number
  /** Fires when the client does not wait for the answer any more. */
  readonly signal: AbortSignal
}

export interface ScrolledItems {
  readonly scrollId: string
  readonly fileSystemItems: readonly Item[]
}

export const maxBatchSize = 1_000
const maxKeepAliveMilliseconds = 3_600_000

export const wrongBatchSize = defineProblem(
  'wrongBatchSize',
  'invalid',
  (of: { batchSize: number }) => `Batch size ${of.batchSize} is not possible: ask for 1 to ${maxBatchSize} items at once.`,
)

export const scrollNotFound = defineProblem(
  'scrollNotFound',
  'invalid',
  (_: object) =>
    'No search context found for the scrollId: it is of another folder or user, or has expired. Begin anew without one.',
)

/**
 * A batch of what is below a folder, in the order of paths: what is in a folder comes after it, and each batch costs as much as the first.
 * The last one is empty.
 */
export async function scrollDescendants(
  session: Session,
  tree: ItemTree,
  { document, item }: FoundItem,
  { scrollId, batchSize, keepAliveMilliseconds, signal }: ScrollRequest,
): Promise<ScrolledItems> {
  if (!Number.isSafeInteger(batchSize) || batchSize < 1 || batchSize > maxBatchSize) throw wrongBatchSize({ batchSize })
  const now = Date.parse(session.now)
  const ids = createScrollIds(await readSyncSecret(session))
  const about = { user: session.principal.name, item: item.id }
  const after = scrollId === undefined || scrollId === '' ? '' : readPosition(ids, scrollId, about, now)
  const within = { folder: document.path ?? '', itemPath: `${item.path}/` }
  const { items, last } = await listBelow(session, tree, within, { after, batchSize, signal })
  const expires = now + Math.min(Math.max(keepAliveMilliseconds, 0), maxKeepAliveMilliseconds)
  return { scrollId: ids.seal({ ...about, after: last, expires }), fileSystemItems: items }
}

/** @throws scrollNotFound */
function readPosition(ids: ScrollIds, id: string, about: { readonly user: string; readonly item: string }, now: number): string {
  const position = ids.open(id)
  if (position === undefined || position.expires < now) throw scrollNotFound({})
  if (position.user !== about.user || position.item !== about.item) throw scrollNotFound({})
  return position.after
}

interface Batch {
  readonly after: string
  readonly batchSize: number
  readonly signal: AbortSignal
}

const readAtOnce = 200
/** Behind all that is below a folder, and before what follows it. */
const lastBelow = '/\u{10ffff}'

async function listBelow(
  session: Session,
  tree: ItemTree,
  { folder, itemPath }: { readonly folder: string; readonly itemPath: string },
  { after, batchSize, signal }: Batch,
): Promise<{ readonly items: readonly Item[]; readonly last: string }> {
  const items: Item[] = []
  let last = after
  // Below what is hidden nothing is seen, be it a million documents.
  let hidden: string | undefined
  for (;;) {
    signal.throwIfAborted()
    const page = await session.reader.documents.listBelow(
      folder,
      last === '' ? undefined : last,
      Math.min(readAtOnce, batchSize + 1),
    )
    for (const { id, path } of page) {
      if (path === null) continue
      if (hidden !== undefined && path.startsWith(`${hidden}/`)) {
        last = hidden + lastBelow
        break
      }
      last = path
      const found = await tree.find(id)
      // A root inside of another one is shown at the top with all that is in it, and members of collections there.
      if (found?.item.path.startsWith(itemPath)) items.push(found.item)
      else hidden = path
      if (items.length === batchSize) return { items, last }
    }
    if (page.length === 0) return { items, last }
  }
}
