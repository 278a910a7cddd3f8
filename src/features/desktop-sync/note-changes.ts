import sql from 'sql-template-tag'
import { ancestorPaths } from '../../core/documents/ancestors.ts'
import type { DocumentEvent, InlineListener, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { collectionIds } from '../collections/index.ts'
import { moveRoots, type NewChange, securityUpdated, writeChange, writeRootsBelow, writeRootsGone } from './change-rows.ts'
import { leadingEvent } from './leading-event.ts'

/** What a document was before it was moved or its rights were changed. */
type Origin = Pick<Document, 'path' | 'acpId'>

/** What is below a document of which one of these is told comes or goes with it: clients look through a folder that comes. */
const comesWithAll = new Set(['documentCreated', 'documentImported', 'documentUntrashed'])
const goesWithAll = new Set(['documentTrashed'])
/** What can be done with a document is another thing from then on. */
const keepsOrFrees = new Set(['retentionActiveChanged', 'afterSetLegalHold', 'afterRemoveLegalHold'])

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

interface Touched extends NewChange {
  readonly candidates: Set<DocumentId>
}

async function writeDown(
  session: WriteSession,
  events: readonly DocumentEvent[],
  originOf: (event: DocumentEvent) => Origin | undefined,
): Promise<void> {
  const touched = new Map<DocumentId, Touched>()
  const listPlace = createPlaces(session)
  const come = new Set<string>()
  const gone = new Set<string>()

  async function touch(document: Document, change: Omit<NewChange, 'documentId'>, folders: readonly (DocumentId | null)[]) {
    const before = touched.get(document.id)
    const candidates = before?.candidates ?? new Set<DocumentId>()
    for (const id of [document.id, ...collectionIds(document)]) candidates.add(id)
    for (const folder of folders) if (folder !== null) for (const id of await listPlace(folder)) candidates.add(id)
    touched.set(document.id, {
      documentId: document.id,
      event: leadingEvent(before?.event, change.event),
      date: change.date,
      wasAcpId: before?.wasAcpId ?? change.wasAcpId,
      candidates,
    })
  }

  /** Whether what the event tells comes with what is told of a folder above. */
  function isCovered({ name, document: { path } }: DocumentEvent): boolean {
    const above = comesWithAll.has(name) ? come : goesWithAll.has(name) ? gone : undefined
    if (above === undefined || path === null) return false
    const isBelow = ancestorPaths(path).some((ancestor) => above.has(ancestor))
    above.add(path)
    return isBelow
  }

  for (const event of events) {
    const { name, document, properties } = event
    const date = Date.parse(event.time)
    const origin = originOf(event)
    const { parentId, path } = document
    switch (name) {
      case 'documentMoved': {
        const before = textOrNull(properties['parentPath'])
        // Clients do not see the name that a document has in its folder: the trash gives it another one.
        const shown = before === parentId ? 'documentModified' : name
        await touch(document, { event: shown, date, wasAcpId: origin?.acpId }, [parentId, before])
        if (origin?.path != null && path !== null) await moveRoots(session, origin.path, path)
        if (path !== null) await writeRootsBelow(session, path, date)
        break
      }
      case 'documentSecurityUpdated':
        await touch(document, { event: securityUpdated, date, wasAcpId: origin?.acpId }, [parentId])
        if (path !== null) await writeRootsBelow(session, path, date)
        break
      case 'ACEStatusUpdated':
        for (const turned of await session.tx.documents.findAll(textsIn(properties['documentRefs']))) {
          await touch(turned, { event: securityUpdated, date, wasAcpId: turned.acpId }, [turned.parentId])
          if (turned.path !== null) await writeRootsBelow(session, turned.path, date)
        }
        break
      case 'documentRemoved':
        await touch(document, { event: name, date, wasAcpId: document.acpId }, [parentId])
        if (path !== null) await writeRootsGone(session, path, date)
        break
      case 'removedFromCollection': {
        const collection = textOrNull(properties['collectionRef'])
        await touch(document, { event: name, date, wasAcpId: undefined }, [parentId])
        if (collection !== null) touched.get(document.id)?.candidates.add(collection)
        break
      }
      default: {
        const wasAcpId = goesWithAll.has(name) ? document.acpId : undefined
        const shown = keepsOrFrees.has(name) ? 'documentModified' : name
        await touch(document, { event: shown, date, wasAcpId }, isCovered(event) ? [] : [parentId])
      }
    }
  }
  for (const { candidates, ...change } of touched.values()) await writeChange(session, change, candidates)
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

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
