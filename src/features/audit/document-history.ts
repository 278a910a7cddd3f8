import sql from 'sql-template-tag'
import { type IsoDate, isoDate } from '../../base/iso-date.ts'
import { findStored } from '../../core/documents/read-document.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { HistorySource } from './audit-query.ts'

/**
 * Whose rows are the history of a document that the caller may read: its own and, of a version or proxy, those that its live document
 * had when it was made. The live document of a proxy may lie where the caller may not look; its rows are then left out.
 */
export async function sourcesOf(session: Session, document: Document): Promise<readonly HistorySource[]> {
  const own = { documentId: document.id, path: document.path }
  const { seriesId } = document
  if (!(document.isVersion || document.isProxy) || seriesId === null || seriesId === document.id) return [own]
  const live = await findStored(session, seriesId)
  if (!(await mayReadSource(session, document, live))) return [own]
  const until = await creationOf(session, document)
  return until === undefined ? [own] : [own, { documentId: seriesId, path: live?.path ?? null, until }]
}

/** Where the live document is gone, the rights on its version are all that is left of its own. */
async function mayReadSource(session: Session, document: Document, live: Document | undefined): Promise<boolean> {
  if (live === undefined) return document.isVersion || session.principal.isAdministrator
  return hasPermission(session, live, 'Read')
}

interface Maker {
  readonly name: string
  readonly moment: IsoDate
}

/** Who made a document and when, by the log: what the document itself says of it may have been sent. Served by audit_entries_by_document. */
export async function findMaker({ reader }: Session, { id }: Document): Promise<Maker | undefined> {
  const row = await reader.tables.get(sql`
    SELECT principal_name, event_date FROM audit_entries
    WHERE doc_uuid = ${id} AND event_id IN (${'documentCreated'}, ${'documentCreatedByCopy'})
    ORDER BY event_date, id LIMIT 1`)
  return row && { name: String(row[0]), moment: isoDate(new Date(Number(row[1]))) }
}

/** By its row, or where that is not in the log any more, by the document itself. Served by audit_entries_by_document. */
async function creationOf(session: Session, { id, properties }: Document): Promise<number | undefined> {
  const row = await session.reader.tables.get(sql`
    SELECT event_date FROM audit_entries WHERE doc_uuid = ${id} AND event_id = ${'documentCreated'}
    ORDER BY event_date, id LIMIT 1`)
  if (row !== undefined) return Number(row[0])
  const modified = properties['dc:modified']
  return typeof modified === 'string' ? Date.parse(modified) : undefined
}
