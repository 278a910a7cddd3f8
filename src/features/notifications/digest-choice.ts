import sql, { join } from 'sql-template-tag'
import type { ServerListener, Session, WriteSession } from '../../core/session.ts'
import { actingName } from '../../model/rights/principal.ts'
import { json } from '../../rest/answer.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import type { TableReader } from '../../store/tables.ts'
import { anonymousSubscriber } from './subscribe.ts'

const hourSeconds = 3_600

/** How long news wait to be told in one mail, in the words of users. */
const choices = { immediate: 0, hourly: hourSeconds, daily: 24 * hourSeconds, weekly: 7 * 24 * hourSeconds } as const
const words = ['default', 'immediate', 'hourly', 'daily', 'weekly'] as const
type Word = (typeof words)[number]

const digest = Type.Enum(words, { description: 'How often notifications are mailed; default: as the server has it' })
const preferences = Type.Object(
  {
    'entity-type': Type.Literal('notificationPreferences'),
    digest,
    digestSeconds: Type.Integer({ description: 'How long notifications are collected for one mail; 0: each is mailed at once' }),
  },
  { $id: 'NotificationPreferences' },
)

/** How long news of users wait who have chosen that themselves. Served by the primary key. */
export async function findDigestSeconds(tables: TableReader, users: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (users.length === 0) return new Map()
  const rows = await tables.all(sql`
    SELECT user_name, digest_seconds FROM notifications_preferences WHERE user_name IN (${join(users)})`)
  return new Map(rows.map(([user, seconds]) => [String(user), Number(seconds)]))
}

async function findWord({ reader: { tables } }: Session, user: string): Promise<Word> {
  const seconds = (await findDigestSeconds(tables, [user])).get(user)
  return words.find((word) => word !== 'default' && choices[word] === seconds) ?? 'default'
}

async function storeWord({ tx: { tables } }: WriteSession, user: string, word: Word): Promise<void> {
  await tables.run(sql`DELETE FROM notifications_preferences WHERE user_name = ${user}`)
  if (word !== 'default') {
    await tables.run(sql`
      INSERT INTO notifications_preferences (user_name, digest_seconds) VALUES (${user}, ${choices[word]})
      ON CONFLICT (user_name) DO UPDATE SET digest_seconds = excluded.digest_seconds`)
  }
}

/** The next user of the name chooses anew. */
export const forgetDigestChoice: ServerListener = {
  name: 'forgetDigestChoice',
  events: ['user_deleted'],
  async handle({ properties }, session) {
    await storeWord(session, String(properties['id']), 'default')
  },
}

/** What users choose for themselves, wherever they subscribed. */
export function digestChoiceRoutes(defaultSeconds: number): readonly Route[] {
  const shared = { path: '/me/notifications/preferences', under: 'api' } as const
  const written = (word: Word): Static<typeof preferences> => ({
    'entity-type': 'notificationPreferences',
    digest: word,
    digestSeconds: word === 'default' ? defaultSeconds : choices[word],
  })
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      operationId: 'getNotificationPreferences',
      summary: 'How often the current user is mailed notifications',
      answers: { 200: preferences, 403: 'the caller has not signed in' },
      handle: async (exchange) => {
        const user = readUser(exchange)
        return json(written(await exchange.directories.read((session) => findWord(session, user))))
      },
    }),
    defineRoute({
      ...shared,
      method: 'PUT',
      operationId: 'updateNotificationPreferences',
      summary: 'Choose how often the current user is mailed notifications',
      body: Type.Object({ digest }),
      answers: { 200: preferences, 400: 'not valid', 403: 'the caller has not signed in' },
      async handle(exchange, _parameters, { body }) {
        const user = readUser(exchange)
        await exchange.directories.write((session) => storeWord(session, user, body.digest))
        return json(written(body.digest))
      },
    }),
  ]
}

/** @throws anonymousSubscriber */
function readUser({ principal }: Exchange): string {
  if (principal.isAnonymous) throw anonymousSubscriber({})
  return actingName(principal)
}
