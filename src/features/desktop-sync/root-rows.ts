import sql, { join } from 'sql-template-tag'
import type { Session, WriteSession } from '../../core/session.ts'
import type { DocumentId } from '../../model/document.ts'
import { isOwn } from '../../model/rights/principal.ts'
import { below } from '../../store/sql/documents/path-range.ts'
import type { TableRow } from '../../store/tables.ts'

/** What a user synchronises. */
export interface RootRow {
  readonly id: DocumentId
  /** Where it is; kept up with moves. */
  readonly path: string
}

/** The roots of the session's principal, whether they can be read or not: what somebody chose who had the name before is left out. */
export async function listOwnRoots({ reader, principal }: Session): Promise<readonly RootRow[]> {
  return ownRows(
    principal,
    await reader.tables.all(sql`SELECT root_id, path, since FROM desktop_sync_roots WHERE user_name = ${principal.name}`),
  )
}

export async function listOwnRootsBelow({ reader, principal }: Session, path: string): Promise<readonly RootRow[]> {
  return ownRows(
    principal,
    await reader.tables.all(sql`
      SELECT root_id, path, since FROM desktop_sync_roots WHERE user_name = ${principal.name} AND ${below(path)}`),
  )
}

function ownRows(principal: Session['principal'], rows: readonly TableRow[]): readonly RootRow[] {
  return rows
    .filter(([, , since]) => isOwn(principal, principal.name, String(since)))
    .map(([id, path]) => ({ id: String(id), path: String(path) }))
}

export async function addRoot({ tx, principal, now }: WriteSession, { id, path }: RootRow): Promise<void> {
  await tx.tables.run(sql`
    INSERT INTO desktop_sync_roots (root_id, user_name, path, since) VALUES (${id}, ${principal.name}, ${path}, ${now})
    ON CONFLICT (root_id, user_name) DO UPDATE SET path = excluded.path, since = excluded.since`)
  // Several may be the first, in the same millisecond.
  await tx.tables.run(sql`
    INSERT INTO desktop_sync_used (since) SELECT ${now} WHERE NOT EXISTS (SELECT 1 FROM desktop_sync_used) ON CONFLICT DO NOTHING`)
}

/** Whether there was one. */
export async function removeRoot({ tx, principal }: WriteSession, id: DocumentId): Promise<boolean> {
  const removed = await tx.tables.run(sql`
    DELETE FROM desktop_sync_roots WHERE root_id = ${id} AND user_name = ${principal.name}`)
  return removed > 0
}

/** Whether anybody synchronises it. */
export async function isRoot({ reader }: Session, id: DocumentId): Promise<boolean> {
  return (await reader.tables.get(sql`SELECT 1 FROM desktop_sync_roots WHERE root_id = ${id} LIMIT 1`)) !== undefined
}

/** Those whose document is gone without anybody having been told. Goes through all of them. */
export async function forgetRootsWithoutDocument({ tx }: WriteSession): Promise<void> {
  await tx.tables.run(sql`
    DELETE FROM desktop_sync_roots
     WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.id = desktop_sync_roots.root_id)`)
}

/** A comma-separated list for an `IN`, of which there is at least one. */
export const listOf = (ids: readonly string[]) => join(ids)
