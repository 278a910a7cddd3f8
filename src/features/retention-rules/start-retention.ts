import type { IsoDate } from '../../base/iso-date.ts'
import { systemAccess } from '../../core/access.ts'
import { setRetention } from '../../core/documents/records/set-retention.ts'
import { documentEvents } from '../../core/event-definition.ts'
import type { AsynchronousListener, DocumentEvent, InlineListener, Repository, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { sameValue } from '../../model/properties/property.ts'
import { indeterminately, leastRetention } from '../../model/retention.ts'
import type { Services } from '../../rest/services.ts'
import { holds } from './conditions.ts'
import { findAttached } from './record-copy.ts'
import { momentAfter } from './retention-period.ts'
import { endFromMetadata, type RetentionDefinition } from './rule-definition.ts'
import { recordFacet } from './rule-model.ts'

/** Something that may end the wait of records for their retention to begin. */
export interface StartingEvent {
  readonly name: string
  readonly time: IsoDate
  readonly input?: string | undefined
}

/** Whether a record waits for such an event, as far as that can be told without asking what must hold. */
export function awaits(document: Document, { name, time }: StartingEvent): boolean {
  if (document.retainUntil !== indeterminately || document.isVersion || document.isProxy) return false
  const attached = findAttached(document)
  // What happened before the rule was attached was no business of the record.
  return (
    attached?.definition.start.kind === 'event_based' && attached.definition.start.event === name && attached.attached <= time
  )
}

/**
 * Begins the retention of a record for which such an event was fired, if it still waits. It is counted from the event, however long it took
 * to come here; one that would be over by now ends at once. Where somebody had retained the record until a date, and then indefinitely, it
 * is kept until that date at least.
 */
export async function startByEvent(
  services: Services,
  session: WriteSession,
  id: DocumentId,
  event: StartingEvent,
): Promise<boolean> {
  const record = await session.tx.documents.findForUpdate(id)
  if (record === undefined || !awaits(record, event)) return false
  const { definition } = findAttached(record) as { readonly definition: RetentionDefinition }
  const { start, period } = definition
  if (start.kind !== 'event_based') return false
  const { value, expression } = start
  const isMeant =
    value === undefined
      ? await holds(services, session, { expression, document: record, eventInput: event.input })
      : value === event.input
  if (!isMeant) return false
  await setRetention(session.asSystem(), id, endOf(record, momentAfter(event.time, period), session.now))
  return true
}

function endOf({ properties }: Document, planned: IsoDate, now: IsoDate): IsoDate {
  const least = properties[leastRetention]
  const kept = typeof least === 'string' && least > planned ? least : planned
  return kept > now ? kept : new Date(Date.parse(now) + 1).toISOString()
}

// Reads, and marks of the server, happen to no document in particular; what is gone waits for nothing.
const passedOver = new Set(['sessionSaved', 'search', 'download', 'documentRemoved', 'versionRemoved', 'proxyRemoved'])
export const startingEvents: readonly string[] = documentEvents
  .filter(({ name, kind }) => kind === 'after' && !passedOver.has(name))
  .map(({ name }) => name)

/** What happens to a record itself may be what its rule waits for. Nothing is asked but the record, which is at hand. */
export function startByOwnEvents(services: Services): AsynchronousListener {
  const eventOf = ({ name, time }: Pick<DocumentEvent, 'name' | 'time'>): StartingEvent => ({ name, time })
  return {
    name: 'startRetentionByEvent',
    when: 'asynchronous',
    facet: recordFacet,
    events: startingEvents,
    concerns: (event) => awaits(event.document, eventOf(event)),
    async handle(bundle, repository: Repository) {
      for (const event of bundle)
        await systemAccess(repository).write((session) => startByEvent(services, session, event.documentId, eventOf(event)))
    },
  }
}

/**
 * A record whose retention begins with one of its dates follows that date: it begins once there is one, and lasts longer where a later one is
 * written. It is never shortened, nor ended by a date that is taken away.
 */
export const startByMetadata: InlineListener = {
  name: 'startRetentionByMetadata',
  when: 'inline',
  facet: recordFacet,
  events: ['documentModified'],
  order: 200,
  async handle({ document, properties }, session) {
    const definition = findAttached(document)?.definition
    if (definition?.start.kind !== 'metadata_based') return
    const { property } = definition.start
    const before = properties['previousDocumentModel'] as Document | undefined
    const value = document.properties[property]
    if (before !== undefined && sameValue(before.properties[property], value)) return
    const end = endFromMetadata(value, definition.period, session.now)
    if (end === null || (document.retainUntil !== null && end <= document.retainUntil)) return
    await setRetention(session.asSystem(), document.id, end)
  },
}
