import { setTimeout as delay } from 'node:timers/promises'
import { stringifyJson } from '../../../base/json.ts'
import type { Tracer } from '../../../base/tracing.ts'
import { systemAccess } from '../../../core/access.ts'
import { announceToServer } from '../../../core/server-event.ts'
import type { Repository, WriteSession } from '../../../core/session.ts'
import { followOutbox } from '../follow-outbox.ts'
import { logEntryOf, type OutboxEvent } from '../outbox-event.ts'
import { attemptTime, pauseAfter, type RetryRules, usualRetries } from './retry-rules.ts'
import {
  type DeliveryAttempt,
  findDelivery,
  listUndelivered,
  removeUndelivered,
  shownAttempts,
  storeProgress,
  storeUndelivered,
} from './stored-deliveries.ts'
import { type AttemptLimits, type DeliveryMessage, type DeliveryOutcome, type DeliveryTarget, isNamed } from './target.ts'

/** Told when an event is given up; in the audit log. */
export const failedEvent = 'notificationFailed'

export interface DeliveryStream {
  readonly repository: Repository
  readonly target: DeliveryTarget
  /** The process, while it alone delivers to the target. */
  readonly owner: string
  readonly signal: AbortSignal
  readonly rules?: RetryRules
}

// So many events are in memory, and are sent again after a crash at most.
const eventsAtOnce = 100
const sentBetweenNotes = 50
const notesMilliseconds = 500

/**
 * Sends what happens in a repository to a target, one event after the other in their order, each until it is taken or given up. What was
 * sent is noted a little later: after a crash the last events are sent once more, by the same ids. Ends with the signal, or when
 * another process delivers to the target.
 */
export async function deliverEvents(stream: DeliveryStream): Promise<void> {
  const { repository, target } = stream
  const state = await findDelivery(repository.store.reader.tables, target.reader)
  if (state === undefined) return
  const end = new AbortController()
  const signal = AbortSignal.any([stream.signal, end.signal])
  const delivering = { ...stream, signal, notes: createNotes(stream, state.position), unacknowledged: new Set<string>() }
  const resending = resendState(delivering)
  try {
    await deliverFrom(state.position, delivering)
  } finally {
    end.abort()
    await resending
    await delivering.notes.store().catch((err: unknown) => {
      const about = { event: 'delivery.notNoted', reader: target.reader, err }
      repository.log.warn(about, 'what was delivered could not be noted, and will be sent again')
    })
  }
}

interface OpenStream extends DeliveryStream {
  readonly notes: DeliveryNotes
  /** JSON of what is being tried again. */
  readonly unacknowledged: Set<string>
}

async function deliverFrom(position: number, stream: OpenStream): Promise<void> {
  const { repository, target, signal, notes } = stream
  for await (const page of followOutbox(repository, { after: position, pageSize: eventsAtOnce, signal })) {
    if (page.isLossy) {
      const about = { event: 'delivery.eventsLost', reader: target.reader, repository: repository.name }
      repository.log.warn(about, 'events were removed before they could be delivered, as they were too old')
    }
    for (const event of page.events) {
      const isMeant = isNamed(target.events, event) && (await isConcerned(stream, event))
      if (isMeant && !(await deliverOne(stream, event))) return
      notes.pass(event.position)
      if (notes.isDue() && !(await notes.store())) return
    }
    if (notes.hasSent() && !(await notes.store())) return
  }
}

/** A filter that fails holds up nothing: who is told too much can tell, and who is told nothing cannot. */
async function isConcerned({ repository, target }: DeliveryStream, event: OutboxEvent): Promise<boolean> {
  try {
    return await target.isConcerned(event, repository)
  } catch (err) {
    repository.log.warn({ event: 'delivery.filterFailed', reader: target.reader, err }, 'the filter of a subscription failed')
    return true
  }
}

/** False when the stream is over: it was neither taken nor given up, or another process delivers. */
async function deliverOne(stream: OpenStream, event: OutboxEvent): Promise<boolean> {
  const { repository, target, notes, unacknowledged } = stream
  const message = messageOf(target, event)
  const outcome = await sendUntilTaken(stream, message)
  unacknowledged.delete(message.json)
  if (outcome === undefined) return false
  if (outcome.kind === 'delivered') return true
  const { error } = outcome
  const about = { event: 'delivery.failed', reader: target.reader, of: event.event, position: event.position, error }
  repository.log.warn(about, 'an event could not be delivered')
  notes.giveUp(event.position)
  return notes.store(async (session) => {
    if (target.resendSeconds !== undefined)
      await storeUndelivered(session, target.reader, { position: event.position, json: message.json })
    const properties = { reader: target.reader, eventId: event.event, docUUID: message.documentId, position: event.position }
    await announceToServer(session, failedEvent, { category: 'notification', comment: error, properties })
  })
}

/** Tries until it is taken, refused, or too late. Undefined when the stream ended before. */
async function sendUntilTaken(stream: OpenStream, message: DeliveryMessage): Promise<DeliveryOutcome | undefined> {
  const { repository, target, signal, notes, unacknowledged, rules = usualRetries } = stream
  const end = performance.now() + target.retrySeconds * 1_000
  let outcome: DeliveryOutcome = { kind: 'unavailable', error: 'There was no time for an attempt.' }
  for (let attempts = 1; ; attempts += 1) {
    const milliseconds = attemptTime(rules, end - performance.now())
    if (milliseconds === undefined) return outcome
    const began = performance.now()
    outcome = await sendOnce(repository.tracer, target, message, { milliseconds, signal })
    if (signal.aborted && outcome.kind !== 'delivered') return undefined
    const ended = performance.now()
    const [pause, left] = [pauseAfter(rules, attempts, Math.random()), end - ended]
    const isTriedAgain = outcome.kind === 'unavailable' && pause < left
    notes.attempt(message, outcome, ended - began, isTriedAgain ? pause : undefined)
    if (outcome.kind !== 'unavailable') return outcome
    if (!message.isFullState) unacknowledged.add(message.json)
    // Those who look at the status shall see that it is tried, and when again.
    if (!(await notes.store())) return undefined
    if (left > 0) await delay(Math.min(pause, left), undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return undefined
    if (pause >= left) return outcome
  }
}

/** Whatever a transport throws is a failure that may pass. It is recorded as a part of what the event was a part of. */
export function sendOnce(
  tracer: Tracer,
  target: DeliveryTarget,
  message: DeliveryMessage,
  limits: AttemptLimits,
): Promise<DeliveryOutcome> {
  const attributes = { 'server.address': target.address, 'quire.event': message.event, 'quire.receiver': target.reader }
  return tracer.run({ name: 'deliver', kind: 'client', attributes, parent: message.trace ?? null }, async (span) => {
    const outcome = await target.send(message, limits).catch(
      (error: unknown): DeliveryOutcome => ({
        kind: 'unavailable',
        error: error instanceof Error ? error.message : String(error),
      }),
    )
    if (outcome.kind !== 'delivered') span.fail(outcome.kind)
    return outcome
  })
}

export function messageOf({ reader }: DeliveryTarget, event: OutboxEvent): DeliveryMessage {
  return {
    id: `${reader}/${event.repository}/${event.position}`,
    event: event.event,
    date: event.date,
    repository: event.repository,
    documentId: event.document?.id ?? '',
    json: stringifyJson(logEntryOf(event)),
    position: event.position,
    isFullState: false,
    ...(event.trace !== null && { trace: { traceparent: event.trace } }),
  }
}

const stateEvent = 'undelivered'
const stateItems = 1_000
// Receivers take 4 MB unless they are told otherwise.
const stateCharacters = 1_000_000

/** Every now and then all that was given up or is still tried, so that a receiver that was down knows what it has missed. */
async function resendState(stream: OpenStream): Promise<void> {
  const { repository, target, signal } = stream
  if (target.resendSeconds === undefined) return
  for (;;) {
    await delay(target.resendSeconds * 1_000, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return
    try {
      await sendState(stream)
    } catch (err) {
      repository.log.warn({ event: 'delivery.stateFailed', reader: target.reader, err }, 'the full state could not be sent')
    }
  }
}

export async function sendState(stream: OpenStream): Promise<void> {
  const { repository, target, unacknowledged } = stream
  const { tables } = repository.store.reader
  let characters = 0
  const given = (await listUndelivered(tables, target.reader, stateItems)).filter(({ json }) => {
    characters += json.length
    return characters <= stateCharacters
  })
  const date = repository.now()
  const outcome = await sendUntilTaken(stream, {
    id: `${target.reader}/${repository.name}/state/${date}`,
    event: stateEvent,
    date,
    repository: repository.name,
    documentId: '',
    json: `[${[...given.map(({ json }) => json), ...unacknowledged].join(',')}]`,
    position: null,
    isFullState: true,
  })
  const last = given.at(-1)
  if (outcome?.kind === 'delivered' && last !== undefined)
    await systemAccess(repository).write(({ tx }) => removeUndelivered(tx.tables, target.reader, last.position))
}

/** What is to be written down of what was sent. */
interface DeliveryNotes {
  /** Everything up to there was seen to. */
  pass(position: number): void
  /** The same, and of that event no more is tried. */
  giveUp(position: number): void
  /** @param pause how long it is until the next one, if there is one */
  attempt(message: DeliveryMessage, outcome: DeliveryOutcome, milliseconds: number, pause: number | undefined): void
  hasSent(): boolean
  isDue(): boolean
  /** With something more in the same transaction. False when another process delivers by now: then nothing is written. */
  store(more?: (session: WriteSession) => Promise<void>): Promise<boolean>
}

function createNotes({ repository, target, owner }: DeliveryStream, start: number): DeliveryNotes {
  const nothing = { delivered: 0, failed: 0, sent: 0 }
  let position = start
  let stored = { position: start, at: performance.now() }
  let counts = { ...nothing }
  let attempts: DeliveryAttempt[] = []
  const pass = (to: number) => {
    position = to
  }
  return {
    pass,
    giveUp(at) {
      pass(at)
      counts.failed += 1
    },
    attempt(message, outcome, milliseconds, pause) {
      counts.sent += 1
      if (outcome.kind === 'delivered' && !message.isFullState) counts.delivered += 1
      attempts = [
        ...attempts.slice(1 - shownAttempts),
        attemptOf(message, outcome, { date: repository.now(), milliseconds, pause }),
      ]
    },
    hasSent: () => counts.sent > 0,
    isDue() {
      const isLate = performance.now() - stored.at > notesMilliseconds
      return counts.sent >= sentBetweenNotes || (isLate && (counts.sent > 0 || position - stored.position >= 10 * eventsAtOnce))
    },
    async store(more) {
      const { sent, ...counted } = counts
      if (sent === 0 && position === stored.position && more === undefined) return true
      const progress = { reader: target.reader, owner, position, attempts, ...counted }
      stored = { position, at: performance.now() }
      attempts = []
      counts = { ...nothing }
      return systemAccess(repository).write(async (session) => {
        const isOurs = await storeProgress(session.tx.tables, progress)
        if (isOurs) await more?.(session)
        return isOurs
      })
    },
  }
}

/** An attempt as those who look at the status are shown it. */
export function attemptOf(
  { event, documentId, position }: DeliveryMessage,
  outcome: DeliveryOutcome,
  { date, milliseconds, pause }: { readonly date: string; readonly milliseconds: number; readonly pause?: number | undefined },
): DeliveryAttempt {
  return {
    date,
    event,
    documentId,
    outcome: outcome.kind,
    error: 'error' in outcome ? outcome.error : null,
    milliseconds: Math.round(milliseconds),
    position,
    next: pause === undefined ? null : new Date(Date.parse(date) + pause).toISOString(),
  }
}
