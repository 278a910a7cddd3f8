import sql from 'sql-template-tag'
import type { DocumentEvent, InlineListener, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { moveRoots, securityUpdated, writeRootsBelow, writeRootsGone } from './change-rows.ts'
import { comesWithAll, createCover, createGathering, type Gathering, goesWithAll } from './gathered-changes.ts'

/** What a document was before it was moved or its rights were changed. */
type Origin = Pick<Document, 'path' | 'acpId'>

/** What can be done with a document is another thing from then on. */
const keepsOrFrees: ReadonlySet<string> = new Set(['retentionActiveChanged', 'afterSetLegalHold', 'afterRemoveLegalHold'])

const notedEvents: ReadonlySet<string> = new Set([
  ...comesWithAll,
  ...goesWithAll,
  ...keepsOrFrees,
  'documentCreatedByCopy',
  'documentModified',
  'documentMoved',
  'documentRestored',
  'documentLocked',
  'documentUnlocked',
  'documentRemoved',
  'documentSecurityUpdated',
  'documentProxyPublished',
  'documentProxyUpdated',
  'lifecycle_transition_event',
  'addedToCollection',
  'removedFromCollection',
  'ACEStatusUpdated',
])

/**
 * Writes down what happens in roots, at the end of the transaction in which it happens: who reads changes waits for transactions that are
 * writing some, and so waits as long as a commit takes.
 */
export function noteChanges(): readonly InlineListener[] {
  const origins = new WeakMap<Transaction, Map<DocumentId, Origin>>()
  const originOf = new WeakMap<DocumentEvent, Origin>()
  const isUsed = createUsedMark()
  return [
    {
      name: 'desktopSyncOrigin',
      when: 'inline',
      events: ['aboutToMove', 'beforeDocumentSecurityModification'],
      handle({ document: { id, path, acpId } }, { tx }) {
        const known = origins.get(tx) ?? new Map<DocumentId, Origin>()
        origins.set(tx, known.set(id, { path, acpId }))
      },
    },
    {
      name: 'desktopSyncOriginOfEvent',
      when: 'inline',
      events: ['documentMoved', 'documentSecurityUpdated'],
      handle(event, { tx }) {
        const origin = origins.get(tx)?.get(event.document.id)
        if (origin !== undefined) originOf.set(event, origin)
      },
    },
    {
      name: 'desktopSync',
      when: 'inline',
      events: ['sessionSaved'],
      // Behind the outbox, where every transaction that announces something is one that writes: who asks for changes waits for those. So a root
      // that another transaction registers is either seen here, or its client hears of it after this transaction has committed.
      order: 10_001,
      async handle(_, session) {
        const events = session.events.announced.filter((event) => isNoted(session, event))
        if (events.length === 0) return
        if (await isUsed(session)) await writeDown(session, events, (event) => originOf.get(event))
      },
    },
  ]
}

function isNoted({ model }: WriteSession, { name, document, options }: DocumentEvent): boolean {
  if (!notedEvents.has(name)) return false
  // A version is in no folder, comments and the like are never shown in one, and what the server makes of a file is not the file.
  if (document.path === null || model.shapeOf({ type: document.type }).hasFacet('HiddenInNavigation')) return false
  return !(name === 'documentModified' && options.isDerived === true)
}

/** Tells whether anybody has ever had a root in a repository, so that writes cost next to nothing where nobody has. */
function createUsedMark(): (session: WriteSession) => Promise<boolean> {
  // The row is never taken away, so that what was once found stays true.
  const used = new WeakSet<Store>()
  return async ({ tx, repository: { store } }) => {
    if (used.has(store)) return true
    if ((await tx.tables.get(sql`SELECT since FROM desktop_sync_used LIMIT 1`)) === undefined) return false
    used.add(store)
    return true
  }
}

/** An event, and what is known when it is written down. */
interface Noting {
  readonly session: WriteSession
  readonly gathering: Gathering
  readonly event: DocumentEvent
  readonly date: number
  readonly origin: Origin | undefined
  /** What it tells comes with what is told of a folder above. */
  readonly isCovered: boolean
}

async function writeDown(
  session: WriteSession,
  events: readonly DocumentEvent[],
  originOf: (event: DocumentEvent) => Origin | undefined,
): Promise<void> {
  const gathering = createGathering(session)
  const isCovered = createCover()
  for (const event of events) {
    const date = Date.parse(event.time)
    await note({ session, gathering, event, date, origin: originOf(event), isCovered: isCovered(event) })
  }
  await gathering.write()
}

function note(noting: Noting): Promise<void> {
  switch (noting.event.name) {
    case 'documentMoved':
      return noteMove(noting)
    case 'documentSecurityUpdated':
      return noteRights(noting, noting.event.document, noting.origin?.acpId)
    case 'ACEStatusUpdated':
      return noteTurnedRights(noting)
    case 'documentRemoved':
      return noteRemoval(noting)
    case 'removedFromCollection':
      return noteLeaving(noting)
    default:
      return noteOther(noting)
  }
}

async function noteMove({ session, gathering, event: { document, properties }, date, origin }: Noting): Promise<void> {
  const { parentId, path } = document
  const before = textOrNull(properties['parentPath'])
  // Clients do not see the name that a document has in its folder: the trash gives it another one.
  const event = before === parentId ? 'documentModified' : 'documentMoved'
  await gathering.touch(document, { event, date, wasAcpId: origin?.acpId }, [parentId, before])
  if (path === null) return
  if (origin?.path != null) await moveRoots(session, origin.path, path)
  await writeRootsBelow(session, path, date)
}

async function noteRights({ session, gathering, date }: Noting, document: Document, wasAcpId: number | undefined): Promise<void> {
  await gathering.touch(document, { event: securityUpdated, date, wasAcpId }, [document.parentId])
  if (document.path !== null) await writeRootsBelow(session, document.path, date)
}

async function noteTurnedRights(noting: Noting): Promise<void> {
  const ids = textsIn(noting.event.properties['documentRefs'])
  for (const turned of await noting.session.tx.documents.findAll(ids)) await noteRights(noting, turned, turned.acpId)
}

async function noteRemoval({ session, gathering, event: { name, document }, date }: Noting): Promise<void> {
  await gathering.touch(document, { event: name, date, wasAcpId: document.acpId }, [document.parentId])
  if (document.path !== null) await writeRootsGone(session, document.path, date)
}

async function noteLeaving({ gathering, event: { name, document, properties }, date }: Noting): Promise<void> {
  const collection = textOrNull(properties['collectionRef'])
  const also = collection === null ? [] : [collection]
  await gathering.touch(document, { event: name, date, wasAcpId: undefined }, [document.parentId], also)
}

async function noteOther({ gathering, event: { name, document }, date, isCovered }: Noting): Promise<void> {
  const wasAcpId = goesWithAll.has(name) ? document.acpId : undefined
  const event = keepsOrFrees.has(name) ? 'documentModified' : name
  await gathering.touch(document, { event, date, wasAcpId }, isCovered ? [] : [document.parentId])
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
