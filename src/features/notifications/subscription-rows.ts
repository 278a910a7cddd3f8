import sql, { join, type Sql } from 'sql-template-tag'
import type { IsoDate } from '../../base/iso-date.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { Reader, Transaction } from '../../store/store.ts'

/** Has subscribers looked for from now on. */
export async function noteSubscription({ tx, now }: WriteSession): Promise<void> {
  await tx.tables.run(
    // Several may be the first, in the same millisecond.
    sql`INSERT INTO notifications_used (since) SELECT ${now} WHERE NOT EXISTS (SELECT 1 FROM notifications_used) ON CONFLICT DO NOTHING`,
  )
}

/** Somebody, and what they are or are not to be told of. */
interface Choice {
  readonly documentId: string
  readonly notification: string
  readonly user: string
}

/** When choices were made, by `keyOf`: undefined where nobody knows. */
type ChoiceMoments = ReadonlyMap<string, IsoDate | undefined>

/**
 * A document says who subscribed by name alone. Where the name was somebody else's before, it is the present one only if this was noted
 * after the name was free.
 */
export async function noteRenewal(
  session: WriteSession,
  { name, nameFreed }: Principal,
  documentId: string,
  notifications: readonly string[],
): Promise<void> {
  if (nameFreed !== undefined) await renewSubscriptions(session, name, documentId, notifications)
}

/** @param name of a user or a group: the two never share one, whose name was another's before */
export async function renewSubscriptions(
  { tx, now }: WriteSession,
  name: string,
  documentId: string,
  notifications: readonly string[],
): Promise<void> {
  if (notifications.length === 0) return
  const rows = notifications.map((notification) => sql`(${documentId}, ${notification}, ${name}, ${now})`)
  await tx.tables.run(sql`
    INSERT INTO notifications_renewed (document_id, notification, user_name, since) VALUES ${join(rows)}
    ON CONFLICT (document_id, notification, user_name) DO UPDATE SET since = excluded.since`)
}

/** Those on the documents. Served by the primary key, a look for each document. */
export function listRenewals(reader: Reader, documentIds: readonly string[]): Promise<ChoiceMoments> {
  return listMoments(reader, documentIds, sql`notifications_renewed`)
}

/** Somebody does not want to be told of what a group of theirs subscribed to. */
export async function storeOptOut({ tx, now }: WriteSession, { documentId, notification, user }: Choice): Promise<void> {
  await tx.tables.run(sql`
    INSERT INTO notifications_opt_outs (document_id, notification, user_name, since)
    VALUES (${documentId}, ${notification}, ${user}, ${now})
    ON CONFLICT (document_id, notification, user_name) DO UPDATE SET since = excluded.since`)
}

/** Who subscribes anew wants to be told. */
export async function forgetOptOuts(
  { tx }: WriteSession,
  documentId: string,
  user: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  await tx.tables.run(sql`
    DELETE FROM notifications_opt_outs
     WHERE document_id = ${documentId} AND notification IN (${join(names)}) AND user_name = ${user}`)
}

const choices = [sql`notifications_opt_outs`, sql`notifications_renewed`]

/** Goes through all of them, of which there are few. */
export async function forgetChoicesWithoutDocument({ tables }: Transaction): Promise<void> {
  for (const table of choices)
    await tables.run(sql`
      DELETE FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.id = ${table}.document_id)`)
}

/** Those of a user or a group. Goes through all of them, of which there are few. */
export async function forgetChoicesOf({ tables }: Transaction, name: string): Promise<void> {
  for (const table of choices) await tables.run(sql`DELETE FROM ${table} WHERE user_name = ${name}`)
}

/** Those on the documents. Served by the primary key, a look for each document. */
export function listOptOuts(reader: Reader, documentIds: readonly string[]): Promise<ChoiceMoments> {
  return listMoments(reader, documentIds, sql`notifications_opt_outs`)
}

async function listMoments({ tables }: Reader, documentIds: readonly string[], table: Sql): Promise<ChoiceMoments> {
  if (documentIds.length === 0) return new Map()
  const rows = await tables.all(sql`
    SELECT document_id, notification, user_name, since FROM ${table} WHERE document_id IN (${join(documentIds)})`)
  return new Map(
    rows.map(([documentId, notification, user, since]) => [
      keyOf({ documentId: `${documentId}`, notification: `${notification}`, user: `${user}` }),
      typeof since === 'string' ? since : undefined,
    ]),
  )
}

export function keyOf({ documentId, notification, user }: Choice): string {
  return JSON.stringify([documentId, notification, user])
}
