import sql from 'sql-template-tag'
import { memoised } from '../../base/cache/memo.ts'
import type { DocumentEvent, InlineListener, ServerEvent, ServerListener, WriteSession } from '../../core/session.ts'
import { shortRemark } from '../../core/short-text.ts'
import type { Document } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import { actingName, type Principal } from '../../model/rights/principal.ts'
import { fixed } from '../../store/sql/fixed-statement.ts'
import { madeStorable } from '../../store/storable-text.ts'
import { auditedDocumentEvents, auditedServerEvents } from './audited-events.ts'
import { extendedOf } from './extended-info.ts'

/** What a row tells beside who did it and when it was stored. */
export interface NewEntry {
  readonly eventId: string
  readonly time: string
  readonly principalName: string
  readonly category: string | null
  readonly comment: string | null
  readonly document?:
    | {
        readonly id: string
        readonly type: string
        readonly path: string | null
        readonly lifeCycle: string | null
      }
    | undefined
  /** JSON. */
  readonly extended: string | null
}

const removedComment = 'The document does not exist any more'

/** Writes what happens to documents into the log, in the transaction in which it happens (contract: adapters 4.3). */
export const documentAudit: InlineListener = {
  name: 'audit',
  when: 'inline',
  events: [...auditedDocumentEvents.keys()],
  // Behind all that may still stop it, so that little is written for nothing.
  order: 500,
  handle(event, session) {
    return isWrittenDown(event, session.model) ? writeEntry(session, documentEntry(event)) : undefined
  },
}

/** What the server does by the way is not, nor what it keeps for itself in documents of its own. */
export function isWrittenDown({ document, options, properties }: DocumentEvent, model: Model): boolean {
  if (options.audit === false) return false
  // The change that makes it a document of the server is the last one to be written down.
  const before = properties['previousDocumentModel'] as Document | undefined
  return isAudited(model, document) || (before !== undefined && isAudited(model, before))
}

function isAudited(model: Model, document: Document): boolean {
  const shape = model.shapeOf(document)
  return !shape.hasFacet('SystemDocument') || shape.hasFacet('ForceAudit')
}

/** The same for the log and for all who are told of it: putting it together once is enough. */
export const documentEntry = memoised((event: DocumentEvent): NewEntry => {
  const { name, document } = event
  const { id, type, path } = document
  const { extended } = auditedDocumentEvents.get(name) ?? {}
  return {
    eventId: name,
    time: event.time,
    principalName: actingName(event.principal),
    category: event.category,
    comment: event.comment ?? (name === 'documentRemoved' ? removedComment : null),
    // What a search looked for is a document that was never stored.
    document: id === '' ? undefined : { id, type, path, lifeCycle: event.documentLifeCycle },
    extended: extended === undefined ? null : extendedOf(event.properties, extended),
  }
})

/** The same for what happens to no document: sign-ins, users and groups. */
export const serverAudit: ServerListener = {
  name: 'audit',
  events: [...auditedServerEvents.keys()],
  handle: (event, session) => writeEntry(session, serverEntry(event)),
}

export function serverEntry({ name, time, principal, category, comment, properties }: ServerEvent): NewEntry {
  const { extended } = auditedServerEvents.get(name) ?? {}
  return {
    eventId: name,
    time,
    principalName: nameOf(principal, properties['principalName']),
    category,
    comment,
    extended: extended === undefined ? null : extendedOf(properties, extended),
  }
}

/** A sign-in that failed was nobody's: the row has the name that was given. */
function nameOf(principal: Principal, given: unknown): string {
  return typeof given === 'string' ? given : actingName(principal)
}

export const insertEntry = fixed(sql`
  INSERT INTO audit_entries (event_id, event_date, log_date, category, principal_name, comment, doc_uuid, doc_type, doc_path,
                             doc_life_cycle, repository_id, extended)
  VALUES (${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null})`)

/** Adds a row. Nobody waits for it: what comes after sees it, and a failure ends the transaction. */
export async function writeEntry({ tx, repository }: WriteSession, entry: NewEntry): Promise<void> {
  const { eventId, time, category, principalName, comment, document, extended } = entry
  const eventDate = Date.parse(time)
  const now = repository.now()
  const statement = insertEntry(
    eventId,
    eventDate,
    now === time ? eventDate : Date.parse(now),
    category,
    madeStorable(principalName),
    comment === null ? null : madeStorable(shortRemark(comment)),
    document?.id ?? null,
    document?.type ?? null,
    document?.path ?? null,
    document?.lifeCycle ?? null,
    repository.name,
    extended,
  )
  await tx.tables.send(statement)
}
