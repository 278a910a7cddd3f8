import { memoised } from '../base/cache/memo.ts'
import type { Json } from '../base/json.ts'
import type { Document } from '../model/document.ts'
import { noLifecycle } from '../model/lifecycle.ts'
import { sameValue } from '../model/properties/property.ts'
import { actingName } from '../model/rights/principal.ts'
import type { Shape } from '../model/shape.ts'
import type { SaveOptions } from './save-options.ts'
import type {
  DocumentEvent,
  EventBundle,
  InlineListener,
  Listener,
  ListenerTable,
  Repository,
  ToldEvent,
  WriteSession,
} from './session.ts'
import { requireShortRemark } from './short-text.ts'

export interface EventDetails {
  readonly category?: string
  /** What was said with it: `textTooLong` refuses what is too long for the log. */
  readonly comment?: string | null
  readonly properties?: DocumentEvent['properties']
  readonly options?: SaveOptions
}

export const documentCategory = 'eventDocumentCategory'
export const lifecycleCategory = 'eventLifeCycleCategory'
export const searchCategory = 'search'

export function createEventBundle(): EventBundle {
  const announced: DocumentEvent[] = []
  return {
    announced,
    add: (event) => announced.push(event),
    mark() {
      const { length } = announced
      return () => {
        announced.length = length
      }
    },
  }
}

/** Offers a document to the listeners of a before-event; each may hand back a changed one, or stop everything by throwing. */
export async function offer(
  session: WriteSession,
  name: string,
  document: Document,
  details: EventDetails = {},
): Promise<Document> {
  let offered = document
  for (const listener of session.repository.listeners.inline(name)) {
    if (!isConcerned(listener, session, offered, details)) continue
    const answer = listener.handle(createEvent(session, name, offered, details), session)
    // Most listeners have nothing to wait for, and a turn of the microtask queue for each took longer than they do.
    offered = (answer instanceof Promise ? await answer : answer) ?? offered
  }
  return offered
}

/** Tells the listeners of an after-event, inside the transaction: one that throws rolls everything back. */
export async function announce(
  session: WriteSession,
  name: string,
  document: Document,
  details: EventDetails = {},
): Promise<void> {
  const event = createEvent(session, name, document, details)
  session.events.add(event)
  for (const listener of session.repository.listeners.inline(name)) {
    if (!isConcerned(listener, session, document, details)) continue
    const done = listener.handle(event, session)
    if (done instanceof Promise) await done
  }
}

function isWithinBounds(
  { facet, gate }: Pick<InlineListener, 'facet' | 'gate'>,
  { model }: WriteSession,
  document: Document,
): boolean {
  return gate?.isOpen !== false && (facet === undefined || model.shapeOf(document).hasFacet(facet))
}

/** A listener that is for certain properties is passed over where a save changes none of them. */
function isConcerned(listener: InlineListener, session: WriteSession, document: Document, details: EventDetails): boolean {
  if (!isWithinBounds(listener, session, document)) return false
  const { changes, heedsFacets } = listener
  const { model } = session
  const before = details.properties?.['previousDocumentModel'] as Document | undefined
  if (changes === undefined || before === undefined) return true
  if (heedsFacets && !sameValue(before.facets, document.facets)) return true
  const namesIn = namesFor(changes)
  const isChanged = (name: string) => !sameValue(before.properties[name], document.properties[name])
  // A facet that goes takes its properties along.
  return [document, before].some((one) => namesIn(model.shapeOf(one)).some(isChanged))
}

// Neither listeners nor shapes change while a server runs, and every save asks.
const namesFor = memoised((isMeant: NonNullable<InlineListener['changes']>) =>
  memoised((shape: Shape): readonly string[] => [...shape.properties.values()].filter(isMeant).map(({ name }) => name)),
)

/** Events that tell of reads; nothing was saved. */
const readingEvents: readonly string[] = ['search', 'download']

/** The mark at the end of a session that announced a change. It belongs to no document in particular: it comes with the last. */
export async function announceSessionSaved(session: WriteSession): Promise<void> {
  const last = session.events.announced.findLast(({ name }) => !readingEvents.includes(name))
  if (last !== undefined) await announce(session, 'sessionSaved', last.document)
}

export const listenerJobKind = 'tellListener'

/** Enqueues a job for every asynchronous listener of what the session announced: in its transaction, so that none is lost. */
export async function enqueueListenerJobs(session: WriteSession): Promise<void> {
  const bundles = new Map<string, ToldEvent[]>()
  for (const event of session.events.announced) {
    for (const listener of session.repository.listeners.asynchronous(event.name)) {
      if (!isWithinBounds(listener, session, event.document) || listener.concerns?.(event, session) === false) continue
      const { name } = listener
      const bundle = bundles.get(name) ?? []
      bundle.push(storedEvent(event))
      bundles.set(name, bundle)
    }
  }
  for (const [listener, events] of bundles)
    await session.tx.jobs.add(listenerJobKind, { listener, events }, { owner: session.principal.name })
}

/** Best effort, one after another: what was done is done, so a failure is only logged. What matters is a job. */
export async function runAfterCommit(repository: Repository, { announced }: EventBundle): Promise<void> {
  for (const event of announced) {
    for (const listener of repository.listeners.afterCommit(event.name)) {
      try {
        await listener.handle(event, repository)
      } catch (err) {
        repository.log.error(
          { event: 'listener.failed', listener: listener.name, on: event.name, err },
          'listener after commit failed',
        )
      }
    }
  }
}

function storedEvent(event: DocumentEvent): ToldEvent {
  const { name, time, repository, sessionId, documentLifeCycle, category, comment } = event
  return {
    name,
    time,
    principal: actingName(event.principal),
    isByServer: event.principal.isSystem,
    repository,
    sessionId,
    documentId: event.document.id,
    documentLifeCycle,
    category,
    comment,
    properties: Object.fromEntries(Object.entries(event.properties).filter(hasPlainValue)),
  }
}

/** Documents and rights are read anew when they are needed: by then they may be others. */
function hasPlainValue(entry: [name: string, value: unknown]): entry is [string, Json] {
  const [, value] = entry
  return Array.isArray(value) ? value.every(isScalar) : isScalar(value)
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function createEvent(session: WriteSession, name: string, document: Document, details: EventDetails): DocumentEvent {
  return {
    name,
    time: session.now,
    principal: session.principal,
    repository: session.repository.name,
    sessionId: session.id,
    document,
    documentLifeCycle: document.state === noLifecycle ? null : document.state,
    category: details.category ?? documentCategory,
    comment: details.comment == null ? null : requireShortRemark(details.comment),
    properties: details.properties ?? {},
    options: details.options ?? {},
  }
}

export function createListenerTable(listeners: readonly Listener[]): ListenerTable {
  const sorted = [...listeners].sort((left, right) => orderOf(left) - orderOf(right))
  const inline = byEvent(sorted.filter((listener) => listener.when === 'inline'))
  const afterCommit = byEvent(sorted.filter((listener) => listener.when === 'afterCommit'))
  const asynchronous = sorted.filter((listener) => listener.when === 'asynchronous')
  const asynchronousByEvent = byEvent(asynchronous)
  return {
    inline: (event) => inline.get(event) ?? [],
    afterCommit: (event) => afterCommit.get(event) ?? [],
    asynchronous: (event) => asynchronousByEvent.get(event) ?? [],
    findAsynchronous: (name) => asynchronous.find((listener) => listener.name === name),
  }
}

function orderOf(listener: Listener): number {
  return listener.order ?? 0
}

function byEvent<One extends Listener>(listeners: readonly One[]): Map<string, One[]> {
  const map = new Map<string, One[]>()
  for (const listener of listeners) {
    for (const event of listener.events) map.set(event, [...(map.get(event) ?? []), listener])
  }
  return map
}
