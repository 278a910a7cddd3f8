import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { newId } from '../../base/ids.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { TableRow } from '../../store/tables.ts'
import { endDelivery } from '../outbox/index.ts'
import type { Webhook, WebhookFields } from './webhook.ts'

export const webhookNotFound = defineProblem(
  'webhookNotFound',
  'notFound',
  (of: { id: string }) => `There is no webhook ${of.id}.`,
)

export const tooManyWebhooks = defineProblem(
  'tooManyWebhooks',
  'conflict',
  (of: { quota: number }) => `There are ${of.quota} webhooks already, which is as many as there may be. Remove one first.`,
)

export const webhookReaders = 'webhook/'

export function readerOf(id: string): string {
  return `${webhookReaders}${id}`
}

/** In the form that libraries for the standard of signed webhooks take. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

const columns = sql`id, url, description, events, is_enabled, secret, creator, created, revision`

export async function listWebhooks({ reader }: Pick<Session, 'reader'>): Promise<readonly Webhook[]> {
  return (await reader.tables.all(sql`SELECT ${columns} FROM webhooks_hooks ORDER BY created, id`)).map(webhookOf)
}

/** @throws webhookNotFound */
export async function readWebhook({ reader }: Pick<Session, 'reader'>, id: string): Promise<Webhook> {
  const row = await reader.tables.get(sql`SELECT ${columns} FROM webhooks_hooks WHERE id = ${id}`)
  if (row === undefined) throw webhookNotFound({ id: id.slice(0, 100) })
  return webhookOf(row)
}

/** @throws tooManyWebhooks */
export async function addWebhook(session: WriteSession, fields: WebhookFields, quota: number): Promise<Webhook> {
  const { tx, principal, now: created } = session
  // One after the other, so that none counts what another is about to add.
  await tx.directories.lock()
  const [count = 0] = (await tx.tables.get(sql`SELECT count(*) FROM webhooks_hooks`)) ?? []
  if (Number(count) >= quota) throw tooManyWebhooks({ quota })
  const webhook = { ...fields, id: newId(), secret: newSecret(), creator: principal.name, created, revision: 1 }
  const { id, url, description, events, isEnabled, secret, creator, revision } = webhook
  await tx.tables.run(sql`
    INSERT INTO webhooks_hooks (${columns})
    VALUES (${id}, ${url}, ${description}, ${JSON.stringify(events)}, ${isEnabled ? 1 : 0}, ${secret}, ${creator}, ${created}, ${revision})`)
  return webhook
}

/** @throws webhookNotFound */
export async function changeWebhook(
  session: WriteSession,
  id: string,
  change: (before: Webhook) => WebhookFields,
): Promise<Webhook> {
  await session.tx.directories.lock()
  const { url, description, events, isEnabled } = change(await readWebhook(session, id))
  await session.tx.tables.run(sql`
    UPDATE webhooks_hooks
       SET url = ${url}, description = ${description}, events = ${JSON.stringify(events)}, is_enabled = ${isEnabled ? 1 : 0},
           revision = revision + 1
     WHERE id = ${id}`)
  return readWebhook(session, id)
}

/** Gives it a new secret. @throws webhookNotFound */
export async function renewSecret(session: WriteSession, id: string): Promise<Webhook> {
  await session.tx.tables.run(sql`
    UPDATE webhooks_hooks SET secret = ${newSecret()}, revision = revision + 1 WHERE id = ${id}`)
  return readWebhook(session, id)
}

/** Drops what waits for it, too. @throws webhookNotFound */
export async function removeWebhook({ tx }: WriteSession, id: string): Promise<void> {
  if ((await tx.tables.run(sql`DELETE FROM webhooks_hooks WHERE id = ${id}`)) === 0)
    throw webhookNotFound({ id: id.slice(0, 100) })
  await endDelivery(tx.tables, readerOf(id))
}

function webhookOf([id, url, description, events, isEnabled, secret, creator, created, revision]: TableRow): Webhook {
  return {
    id: String(id),
    url: String(url),
    description: String(description),
    events: JSON.parse(String(events)) as readonly string[],
    isEnabled: Number(isEnabled) === 1,
    secret: String(secret),
    creator: String(creator),
    created: String(created),
    revision: Number(revision),
  }
}
