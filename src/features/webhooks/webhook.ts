import { defineProblem } from '../../base/problem.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { mayBeStored } from '../../store/storable-text.ts'
import { deliveryFields, type NetworkRules } from '../outbox/index.ts'

/** Somebody who is told of events over HTTPS. */
export interface Webhook extends WebhookFields {
  readonly id: string
  readonly secret: string
  readonly creator: string
  readonly created: string
  /** Grows with every change. */
  readonly revision: number
}

/** What an administrator says of one. */
export interface WebhookFields {
  readonly url: string
  readonly description: string
  readonly events: readonly string[]
  readonly isEnabled: boolean
}

export const webhookWrong = defineProblem('webhookWrong', 'invalid', (of: { what: string }) => `A webhook must have ${of.what}.`)

const longestUrl = 2_048
const longestDescription = 1_000
const mostEvents = 200

export const webhookBody = Type.Object({
  url: Type.Optional(Type.String({ description: 'Where events are posted to: an https:// address' })),
  description: Type.Optional(Type.String({ description: `At most ${longestDescription} characters` })),
  events: Type.Optional(Type.Array(Type.String(), { description: 'Names of events, such as documentCreated; * for all' })),
  isEnabled: Type.Optional(Type.Boolean({ description: 'What happens while it is off is not sent later' })),
})

export const webhookSchema = Type.Object(
  {
    'entity-type': Type.Literal('webhook'),
    id: Type.String(),
    url: Type.String(),
    description: Type.String(),
    events: Type.Array(Type.String()),
    isEnabled: Type.Boolean(),
    creator: Type.String(),
    created: Type.Moment(),
    ...deliveryFields,
    secret: Type.Optional(Type.String({ description: 'What requests are signed with; shown when it is made, and never again' })),
  },
  { $id: 'Webhook' },
)

export const webhooksSchema = Type.Object(
  { 'entity-type': Type.Literal('webhooks'), entries: Type.Array(webhookSchema) },
  { $id: 'Webhooks' },
)

/** What was sent, over what there was before. @throws webhookWrong */
export function parseWebhook(
  sent: Static<typeof webhookBody>,
  before: WebhookFields | undefined,
  isInsecure: NetworkRules['isInsecure'],
): WebhookFields {
  const { description = before?.description ?? '', isEnabled = before?.isEnabled ?? true } = sent
  if (description.length > longestDescription || !mayBeStored(description))
    throw webhookWrong({ what: `a description of at most ${longestDescription} characters` })
  const url = parseUrl(sent.url ?? before?.url, isInsecure)
  return { url, description, events: parseEvents(sent.events ?? before?.events), isEnabled }
}

function parseUrl(sent: string | undefined, isInsecure: NetworkRules['isInsecure']): string {
  const url = sent === undefined || sent.length > longestUrl || !mayBeStored(sent) ? null : URL.parse(sent)
  if (url === null) throw webhookWrong({ what: `a url of at most ${longestUrl} characters` })
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw webhookWrong({
      what: 'a url without a user, a password and a fragment: requests are signed, which tells who sends them',
    })
  const mayBePlain = url.protocol === 'http:' && isInsecure(url.hostname, portOf(url))
  if (url.protocol !== 'https:' && !mayBePlain)
    throw webhookWrong({ what: 'a url that starts with https://, or a host that notificationDeliveryInsecureHosts names' })
  return url.href
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

function parseEvents(sent: readonly string[] | undefined): readonly string[] {
  const isList = sent !== undefined && sent.length > 0 && sent.length <= mostEvents
  if (!isList || !sent.every((event) => /^(?:\*|\w{1,100})$/.test(event)))
    throw webhookWrong({ what: `events, a list of 1 to ${mostEvents} names of events, or ["*"]` })
  return [...new Set(sent)]
}
