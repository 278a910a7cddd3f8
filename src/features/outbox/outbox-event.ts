import type { IsoDate } from '../../base/iso-date.ts'
import type { TableRow } from '../../store/tables.ts'
import type { LogEntry } from '../audit/index.ts'

/** Something that happened in a repository and was committed. */
export interface OutboxEvent {
  /** Grows with every event of the repository, in the order in which all readers see them. */
  readonly position: number
  readonly event: string
  readonly repository: string
  readonly date: IsoDate
  /** Who did it, also where the server acted for them. */
  readonly principalName: string
  readonly category: string | null
  readonly comment: string | null
  /** As it was then: by now it may be another one, elsewhere or gone. Undefined for what happened to no document. */
  readonly document: OutboxDocument | undefined
  /** The server did it by the way, or to a document of its own: it is not in the audit log. */
  readonly isQuiet: boolean
  /** What the audit log tells beside: JSON. */
  readonly extended: string | null
  /** Of a removal: that of memberships right before its commit, by which it is known who was in which group. */
  readonly membershipGeneration: number | undefined
  /** What it was a part of (`traceparent`); null where that is not recorded. */
  readonly trace: string | null
}

/** With these a document is gone, so that who may know of it can only be told by what it was. */
export const removalEvents: ReadonlySet<string> = new Set(['documentRemoved', 'versionRemoved'])

export interface OutboxDocument {
  readonly id: string
  readonly type: string
  readonly path: string | null
  readonly lifeCycle: string | null
  /** Null for what has no place, such as a version. */
  readonly parentId: string | null
  /** As clients are shown it. */
  readonly changeToken: string | null
  /** The list of all entries that decided about it: who may know of a document that is gone is told by them. */
  readonly acpId: number
}

/** In the order in which `eventOf` reads them. */
export const eventColumns =
  'id, event, event_date, principal_name, category, comment, doc_id, doc_type, doc_path, doc_life_cycle, doc_acp_id, is_quiet, extended, doc_parent_id, doc_change_token, membership_generation, trace'

export function eventOf(row: TableRow, repository: string): OutboxEvent {
  const [position, event, date, principalName, category, comment, documentId, type, path, lifeCycle, acpId] = row
  const [isQuiet, extended, parentId, changeToken, generation, trace] = row.slice(11)
  return {
    position: Number(position),
    event: String(event),
    repository,
    date: new Date(Number(date)).toISOString(),
    principalName: String(principalName),
    category: textOf(category),
    comment: textOf(comment),
    document:
      textOf(documentId) === null
        ? undefined
        : {
            id: String(documentId),
            type: String(type),
            path: textOf(path),
            lifeCycle: textOf(lifeCycle),
            parentId: textOf(parentId),
            changeToken: textOf(changeToken),
            acpId: Number(acpId),
          },
    isQuiet: Number(isQuiet) === 1,
    extended: textOf(extended),
    membershipGeneration: generation == null ? undefined : Number(generation),
    trace: textOf(trace),
  }
}

function textOf(value: TableRow[number] | undefined): string | null {
  return value === undefined || value === null ? null : String(value)
}

/** The event as the audit log has it; the number is its position here. */
export function logEntryOf({ position, event, repository, date, document, extended, ...told }: OutboxEvent): LogEntry {
  return {
    'entity-type': 'logEntry',
    id: position,
    category: told.category,
    principalName: told.principalName,
    comment: told.comment,
    docLifeCycle: document?.lifeCycle ?? null,
    docPath: document?.path ?? null,
    docType: document?.type ?? null,
    docUUID: document?.id ?? null,
    eventId: event,
    repositoryId: repository,
    eventDate: date,
    logDate: date,
    extended: extended === null ? {} : JSON.parse(extended),
  }
}
