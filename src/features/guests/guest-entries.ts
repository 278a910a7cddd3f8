import sql, { join } from 'sql-template-tag'
import { typedName } from '../../base/typed-name.ts'
import type { InlineListener, WriteSession } from '../../core/session.ts'
import { aceId } from '../../model/rights/ace-id.ts'
import type { Acl } from '../../model/rights/acl.ts'
import { addedAces, type PlacedAce } from '../../model/rights/acl-change.ts'
import { isTransient } from '../../model/rights/principal.ts'
import type { TableMigration, TableReader } from '../../store/tables.ts'

/** Which entries there are for guests: who is named in the ACLs of documents is in no index. */
export const guestTables: readonly TableMigration[] = [
  {
    version: 1,
    statements: ({ text }) => [
      `CREATE TABLE guests_entries (
         guest ${text} NOT NULL,
         document_id ${text} NOT NULL,
         ace ${text} NOT NULL,
         ends ${text},
         PRIMARY KEY (guest, document_id, ace))`,
      'CREATE INDEX guests_entries_by_document ON guests_entries (document_id)',
      'CREATE INDEX guests_entries_by_end ON guests_entries (ends) WHERE ends IS NOT NULL',
    ],
  },
]

/** Whether anything is granted to the guest, now or later. Served by the primary key. */
export async function hasEntries(tables: TableReader, guest: string, now: string): Promise<boolean> {
  const row = await tables.get(sql`
    SELECT 1 FROM guests_entries WHERE guest = ${guest} AND (ends IS NULL OR ends >= ${now}) LIMIT 1`)
  return row !== undefined
}

const [endedAtOnce, droppedAtOnce] = [500, 500]

/** Forgets entries that are over, some at a time, and gives whose they were. Served by guests_entries_by_end. */
export async function dropEnded({ tx: { tables }, now }: WriteSession): Promise<readonly string[]> {
  const rows = await tables.all(sql`
    SELECT guest, document_id, ace FROM guests_entries WHERE ends < ${now} ORDER BY ends, guest LIMIT ${endedAtOnce}`)
  for (const [guest, documentId, ace] of rows) {
    await tables.run(sql`DELETE FROM guests_entries WHERE guest = ${guest} AND document_id = ${documentId} AND ace = ${ace}`)
  }
  return [...new Set(rows.map(([guest]) => String(guest)))]
}

/** Has it looked at what became of guests, once the transaction has committed. */
export const settleGuestsKind = typedName<{ readonly guests: readonly string[] }>('settleGuests')

export async function leaveToSettle({ tx }: WriteSession, guests: readonly string[]): Promise<void> {
  if (guests.length > 0) await tx.jobs.add(settleGuestsKind, { guests: [...new Set(guests)] })
}

const ofGuests = (entries: readonly PlacedAce[]) => entries.filter(({ ace }) => ace.granted && isTransient(ace.username))

export const noteGuestEntries: InlineListener = {
  name: 'noteGuestEntries',
  when: 'inline',
  events: ['documentSecurityUpdated'],
  async handle({ document, properties }, session) {
    const [before, after] = [properties['oldACP'] as readonly Acl[], properties['newACP'] as readonly Acl[]]
    const [removed, added] = [ofGuests(addedAces(after, before)), ofGuests(addedAces(before, after))]
    const { tables } = session.tx
    for (const { aclName, ace } of removed) {
      await tables.run(sql`
        DELETE FROM guests_entries
         WHERE guest = ${ace.username} AND document_id = ${document.id} AND ace = ${`${aclName}:${aceId(ace)}`}`)
    }
    for (const { aclName, ace } of added) {
      await tables.run(sql`
        INSERT INTO guests_entries (guest, document_id, ace, ends)
        VALUES (${ace.username}, ${document.id}, ${`${aclName}:${aceId(ace)}`}, ${ace.end}) ON CONFLICT DO NOTHING`)
    }
    await leaveToSettle(
      session,
      [...removed, ...added].map(({ ace }) => ace.username),
    )
  },
}

/** Of everything that is about to be removed, while it can still be told what had entries. */
export const dropGuestEntries: InlineListener = {
  name: 'dropGuestEntries',
  when: 'inline',
  events: ['aboutToRemove'],
  async handle({ document: { path } }, session) {
    if (path === null) return
    const { tables, acps } = session.tx
    const owners = (await acps.listOwn(path)).map(({ documentId, acls }) => ({
      documentId,
      guests: ofGuests(addedAces([], acls)).map(({ ace }) => ace.username),
    }))
    const concerned = owners.filter(({ guests }) => guests.length > 0)
    if (concerned.length === 0) return
    for (let first = 0; first < concerned.length; first += droppedAtOnce) {
      const ids = concerned.slice(first, first + droppedAtOnce).map(({ documentId }) => documentId)
      await tables.run(sql`DELETE FROM guests_entries WHERE document_id IN (${join(ids)})`)
    }
    await leaveToSettle(
      session,
      concerned.flatMap(({ guests }) => guests),
    )
  },
}
