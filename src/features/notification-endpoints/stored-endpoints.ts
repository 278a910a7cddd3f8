import sql, { join } from 'sql-template-tag'
import type { Session, WriteSession } from '../../core/session.ts'
import type { TableRow } from '../../store/tables.ts'
import type { NotificationEndpoint } from './endpoint.ts'
import type { GrpcSettings } from './grpc-settings.ts'
import { after, type ListOrder, orderedBy, type PageKey } from './list-order.ts'

const columns = sql`id, project, region, name, created, description, grpc_settings`

/** By its name or its id. */
export async function findEndpoint(
  { reader }: Pick<Session, 'reader'>,
  project: string,
  region: string,
  nameOrId: string,
): Promise<NotificationEndpoint | undefined> {
  const row = await reader.tables.get(sql`
    SELECT ${columns} FROM notification_endpoints_resources
    WHERE project = ${project} AND region = ${region} AND (name = ${nameOrId} OR id = ${nameOrId})`)
  return row && endpointOf(row)
}

/** Wherever it is. Served by the primary key. */
export async function findEndpointById({ reader }: Session, id: string): Promise<NotificationEndpoint | undefined> {
  const row = await reader.tables.get(sql`SELECT ${columns} FROM notification_endpoints_resources WHERE id = ${id}`)
  return row && endpointOf(row)
}

/** A page of those of all projects and regions. Served by notification_endpoints_by_name. */
export async function listAllEndpoints(
  { reader }: Session,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly endpoints: readonly NotificationEndpoint[]; readonly total: number }> {
  const rows = await reader.tables.all(sql`
    SELECT ${columns} FROM notification_endpoints_resources ORDER BY project, region, name LIMIT ${limit} OFFSET ${offset}`)
  const [total = 0] = (await reader.tables.get(sql`SELECT count(*) FROM notification_endpoints_resources`)) ?? []
  return { endpoints: rows.map(endpointOf), total: Number(total) }
}

/** The next in the order after a key, of some regions of a project. */
export async function listEndpoints(
  { reader }: Session,
  project: string,
  regions: readonly string[],
  order: ListOrder,
  from: PageKey | undefined,
  limit: number,
): Promise<readonly NotificationEndpoint[]> {
  const column = order.by === 'name' ? sql`name` : sql`created`
  const rows = await reader.tables.all(sql`
    SELECT ${columns} FROM notification_endpoints_resources
    WHERE project = ${project} AND region IN (${join(regions)}) ${after(column, order, from)}
    ${orderedBy(column, order)} LIMIT ${limit}`)
  return rows.map(endpointOf)
}

/** Whether it was; false where one of that name is in the region. */
export async function insertEndpoint({ tx }: WriteSession, endpoint: NotificationEndpoint): Promise<boolean> {
  const { id, project, region, name, created, description = null, grpcSettings } = endpoint
  const count = await tx.tables.run(sql`
    INSERT INTO notification_endpoints_resources (${columns})
    VALUES (${id}, ${project}, ${region}, ${name}, ${created}, ${description}, ${JSON.stringify(grpcSettings)})
    ON CONFLICT (project, region, name) DO NOTHING`)
  return count === 1
}

/** Whether it was still there. */
export async function deleteEndpoint({ tx }: WriteSession, id: string): Promise<boolean> {
  return (await tx.tables.run(sql`DELETE FROM notification_endpoints_resources WHERE id = ${id}`)) === 1
}

/** How many there are then. Writers of one region wait here for each other, so that none counts what another is about to add. */
export async function countEndpoint({ tx }: WriteSession, project: string, region: string, change: 1 | -1): Promise<number> {
  const row = await tx.tables.get(sql`
    INSERT INTO notification_endpoints_scopes (project, region, endpoints) VALUES (${project}, ${region}, ${change})
    ON CONFLICT (project, region) DO UPDATE SET endpoints = notification_endpoints_scopes.endpoints + ${change}
    RETURNING endpoints`)
  return Number(row?.[0])
}

function endpointOf([id, project, region, name, created, description, grpcSettings]: TableRow): NotificationEndpoint {
  return {
    id: String(id),
    project: String(project),
    region: String(region),
    name: String(name),
    created: String(created),
    ...(description !== null && { description: String(description) }),
    grpcSettings: JSON.parse(String(grpcSettings)) as GrpcSettings,
  }
}
