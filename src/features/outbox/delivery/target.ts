import type { IsoDate } from '../../../base/iso-date.ts'
import type { TraceParent } from '../../../base/tracing.ts'
import type { Repository } from '../../../core/session.ts'
import type { Services } from '../../../rest/services.ts'
import type { OutboxEvent } from '../outbox-event.ts'

/** What is sent. */
export interface DeliveryMessage {
  /** The same whenever the same is sent again, and nothing else has it. */
  readonly id: string
  readonly event: string
  readonly date: IsoDate
  readonly repository: string
  /** Empty for what happened to no document. */
  readonly documentId: string
  /** The entry of the audit log; of a full state the list of them. */
  readonly json: string
  /** Of the event in the outbox; null for what is none, such as a test. */
  readonly position: number | null
  /** All that could not be delivered and still waits, and not one event. */
  readonly isFullState: boolean
  /** What the event was a part of. */
  readonly trace?: TraceParent
}

export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  /** It may be taken when it is sent again. */
  | { readonly kind: 'unavailable'; readonly error: string }
  /** It never will be. */
  | { readonly kind: 'refused'; readonly error: string }

/** How an attempt is bounded. */
export interface AttemptLimits {
  readonly milliseconds: number
  readonly signal: AbortSignal
}

/** Somebody who is told of events, over whichever protocol. */
export interface DeliveryTarget {
  /** By which its place in the outbox is known; begins with the name of its source. */
  readonly reader: string
  /** The host, for who watches; what else there is in an address may be a secret of the receiver. */
  readonly address: string
  /** Another one when it is to be told in another way. */
  readonly version: string
  /** `*` for all. */
  readonly events: readonly string[]
  /** Since the first attempt; then the event is given up. */
  readonly retrySeconds: number
  /** So often it is sent all that was given up. Absent: never. */
  readonly resendSeconds?: number
  isConcerned(event: OutboxEvent, repository: Repository): Promise<boolean>
  send(message: DeliveryMessage, limits: AttemptLimits): Promise<DeliveryOutcome>
  close(): void
}

/** Those who are told over one protocol. */
export interface DeliverySource {
  /** What the readers of its targets begin with: `grpc/`. */
  readonly prefix: string
  /** All that there are now. */
  list(services: Services): Promise<readonly DeliveryTarget[]>
}

/** What of an event each target looks at first. What the server does by the way is not told. */
export function isNamed(events: readonly string[], { event, isQuiet }: OutboxEvent): boolean {
  return !isQuiet && (events.includes('*') || events.includes(event))
}
