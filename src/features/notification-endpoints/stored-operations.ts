import sql, { raw } from 'sql-template-tag'
import type { IsoDate } from '../../base/iso-date.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { TableReader, TableRow } from '../../store/tables.ts'
import { after, type ListOrder, orderedBy, type PageKey } from './list-order.ts'
import type { ComputeOperation } from './operation.ts'

/** What makes a repeated request known: the id that the client gave it, and a digest of all that it asked. */
export interface RequestKey {
  readonly id: string
  readonly digest: string
}

export interface KnownRequest {
  readonly digest: string
  readonly operation: ComputeOperation
}

const columns = raw('id, project, region, name, type, target_name, target_id, user_name, inserted, ended')
const maxPerProject = 10_000

export async function findOperation(
  { reader }: Session,
  project: string,
  region: string,
  nameOrId: string,
): Promise<ComputeOperation | undefined> {
  const row = await reader.tables.get(sql`
    SELECT ${columns} FROM notification_endpoints_operations
    WHERE project = ${project} AND region = ${region} AND is_removed = 0 AND (name = ${nameOrId} OR id = ${nameOrId})`)
  return row && operationOf(row)
}

export async function listOperations(
  { reader }: Session,
  project: string,
  region: string,
  order: ListOrder,
  from: PageKey | undefined,
  limit: number,
): Promise<readonly ComputeOperation[]> {
  const column = order.by === 'name' ? sql`name` : sql`inserted`
  const rows = await reader.tables.all(sql`
    SELECT ${columns} FROM notification_endpoints_operations
    WHERE project = ${project} AND region = ${region} AND is_removed = 0 ${after(column, order, from)}
    ${orderedBy(column, order)} LIMIT ${limit}`)
  return rows.map(operationOf)
}

/** The operation that a request of this id has led to since then, also one that was removed: it is not to be done again. */
export async function findRequest(
  tables: TableReader,
  project: string,
  requestId: string,
  since: IsoDate,
): Promise<KnownRequest | undefined> {
  const row = await tables.get(sql`
    SELECT ${columns}, request_digest FROM notification_endpoints_operations
    WHERE project = ${project} AND request_id = ${requestId} AND inserted > ${since}`)
  return row && { digest: String(row.at(-1)), operation: operationOf(row) }
}

/** Whether it was; false where another transaction has stored one for the same request in the meantime. */
export async function insertOperation(
  { tx }: WriteSession,
  operation: ComputeOperation,
  request: RequestKey | undefined,
  forgetBefore: IsoDate,
): Promise<boolean> {
  const { id, project, region, name, type, targetName, targetId, user, inserted, ended } = operation
  if (request !== undefined) {
    await tx.tables.run(sql`
      UPDATE notification_endpoints_operations SET request_id = NULL
      WHERE project = ${project} AND request_id = ${request.id} AND inserted <= ${forgetBefore}`)
  }
  const count = await tx.tables.run(sql`
    INSERT INTO notification_endpoints_operations (${columns}, request_id, request_digest)
    VALUES (${id}, ${project}, ${region}, ${name}, ${type}, ${targetName}, ${targetId}, ${user}, ${inserted}, ${ended},
            ${request?.id ?? null}, ${request?.digest ?? null})
    ON CONFLICT (project, request_id) DO NOTHING`)
  await tx.tables.run(sql`
    DELETE FROM notification_endpoints_operations WHERE id IN (
      SELECT id FROM notification_endpoints_operations WHERE project = ${project}
      ORDER BY inserted DESC, id DESC LIMIT 100 OFFSET ${maxPerProject})`)
  return count === 1
}

/** One that a repeated request could ask for is kept out of sight until all of its age go. */
export async function deleteOperation({ tx }: WriteSession, id: string): Promise<void> {
  await tx.tables.run(sql`
    UPDATE notification_endpoints_operations SET is_removed = 1 WHERE id = ${id} AND request_id IS NOT NULL`)
  await tx.tables.run(sql`DELETE FROM notification_endpoints_operations WHERE id = ${id} AND request_id IS NULL`)
}

export async function deleteOperationsBefore({ tx }: WriteSession, moment: IsoDate): Promise<void> {
  await tx.tables.run(sql`DELETE FROM notification_endpoints_operations WHERE inserted < ${moment}`)
}

function operationOf(row: TableRow): ComputeOperation {
  const [id, project, region, name, type, targetName, targetId, user, inserted, ended] = row.map(String)
  return {
    id: id ?? '',
    project: project ?? '',
    region: region ?? '',
    name: name ?? '',
    type: type === 'insert' ? 'insert' : 'delete',
    targetName: targetName ?? '',
    targetId: targetId ?? '',
    user: user ?? '',
    inserted: inserted ?? '',
    ended: ended ?? '',
  }
}
