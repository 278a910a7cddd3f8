import sql, { join } from 'sql-template-tag'
import type { WriteSession } from '../../core/session.ts'
import type { Reader } from '../../store/store.ts'

/** Has subscribers looked for from now on. */
export async function noteSubscription({ tx, now }: WriteSession): Promise<void> {
  await tx.tables.run(
    sql`INSERT INTO notifications_used (since) SELECT ${now} WHERE NOT EXISTS (SELECT 1 FROM notifications_used)`,
  )
}

/** Somebody who does not want to be told of what a group of theirs subscribed to. */
export interface OptOut {
  readonly documentId: string
  readonly notification: string
  readonly user: string
}

export async function storeOptOut({ tx }: WriteSession, { documentId, notification, user }: OptOut): Promise<void> {
  await tx.tables.run(sql`
    INSERT INTO notifications_opt_outs (document_id, notification, user_name) VALUES (${documentId}, ${notification}, ${user})
    ON CONFLICT DO NOTHING`)
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

/** Those of the documents, as texts to look into. Served by the primary key, a look for each document. */
export async function listOptOuts({ tables }: Reader, documentIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (documentIds.length === 0) return new Set()
  const rows = await tables.all(sql`
    SELECT document_id, notification, user_name FROM notifications_opt_outs WHERE document_id IN (${join(documentIds)})`)
  return new Set(
    rows.map(([documentId, notification, user]) =>
      keyOf({ documentId: `${documentId}`, notification: `${notification}`, user: `${user}` }),
    ),
  )
}

export function keyOf({ documentId, notification, user }: OptOut): string {
  return JSON.stringify([documentId, notification, user])
}
