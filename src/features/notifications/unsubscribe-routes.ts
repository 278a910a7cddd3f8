import { escapeHtml } from '../../base/html/escape-html.ts'
import { defineProblem } from '../../base/problem.ts'
import { systemAccess } from '../../core/access.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Answer } from '../../rest/answer.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { pageAnswer, pageStyle } from '../../rest/page.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import type { Services } from '../../rest/services.ts'
import { createUnsubscribeLinks, type UnsubscribeRequest, unsubscribePath } from '../mail/index.ts'
import { removeSubscriber } from './subscribe.ts'
import { subscribersOn, userPrefix } from './subscribers.ts'
import { storeOptOut } from './subscription-rows.ts'

export const unsubscribeLinkUnknown = defineProblem(
  'unsubscribeLinkUnknown',
  'notFound',
  (_: object) => 'There is no such subscription. Use the whole link that you were sent.',
)

const query = Type.Object({ token: Type.Optional(Type.String({ description: 'As the link in the mail has it' })) })
const answers = { 200: bytesAnswer('the page', 'text/html'), 404: 'no link of this server' }

/**
 * The link in a mail. Opening it changes nothing, because programs that look for harmful pages open every link; what is sent from there
 * does, as does what mail programs send for a click on their own button (RFC 8058).
 */
export function unsubscribeRoutes(services: Services): readonly Route[] {
  const links = createUnsubscribeLinks(services)
  const read = async (token = ''): Promise<UnsubscribeRequest> => {
    const request = await links.find(token)
    if (request === undefined) throw unsubscribeLinkUnknown({})
    return request
  }
  const shared = { path: `/${unsubscribePath}`, under: 'server', isPublic: true, query, answers } as const
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      operationId: 'getUnsubscribePage',
      summary: 'The page at which somebody who was mailed ends a subscription',
      handle: async ({ request }, _parameters, { query: { token } }) => {
        const { notification } = await read(token)
        return askingPage(`${request.baseUrl}${unsubscribePath}?token=${token}`, notification)
      },
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      operationId: 'unsubscribe',
      summary: 'End the subscription that a mail was sent for, with one click',
      ignoresBody: true,
      handle: async (_exchange, _parameters, { query: { token } }) => {
        const request = await read(token)
        const repository = services.repositories.get(request.repository)
        if (repository === undefined) throw unsubscribeLinkUnknown({})
        await systemAccess(repository).write((session) => endSubscription(session, request))
        return donePage(request.notification)
      },
    }),
  ]
}

/** A user's own subscription goes; one that a group has holds for all but this user from then on. */
async function endSubscription(session: WriteSession, { documentId, notification, user }: UnsubscribeRequest): Promise<void> {
  const document = await session.tx.documents.find(documentId)
  if (document === undefined) return
  const subscribers = subscribersOn(document).get(notification) ?? []
  if (subscribers.includes(`${userPrefix}${user}`)) await removeSubscriber(session, document, user, [notification])
  await storeOptOut(session, { documentId, notification, user })
}

const style = `${pageStyle}
body { max-width: 28rem; padding-top: 4rem; font-size: 16px } button { font: inherit; padding: .4rem 1rem }`

function askingPage(action: string, notification: string): Answer {
  const body = `<h1>Unsubscribe</h1>
<p>You will not be mailed about <b>${escapeHtml(notification)}</b> any more, where you subscribed to it.</p>
<form method="post" action="${escapeHtml(action)}"><button>Unsubscribe</button></form>`
  return pageAnswer({ title: 'Unsubscribe', body, style, hasForm: true }, { headers: privateHeaders })
}

function donePage(notification: string): Answer {
  const body = `<h1>Done</h1>\n<p>You are not mailed about <b>${escapeHtml(notification)}</b> there any more.</p>`
  return pageAnswer({ title: 'Unsubscribed', body, style }, { headers: privateHeaders })
}

/** The address of the page is a key. */
const privateHeaders = { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' }
