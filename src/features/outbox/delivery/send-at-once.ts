import { randomUUID } from 'node:crypto'
import { stringifyJson } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { systemAccess } from '../../../core/access.ts'
import type { Repository } from '../../../core/session.ts'
import type { Services } from '../../../rest/services.ts'
import { logEntryOf } from '../outbox-event.ts'
import { findEvent } from '../read-outbox.ts'
import { usualRetries } from './retry-rules.ts'
import { type DeliveryAttempt, findDelivery, noteAttempt, removeUndelivered } from './stored-deliveries.ts'
import { attemptOf, messageOf, sendOnce } from './stream.ts'
import type { DeliveryMessage, DeliveryTarget } from './target.ts'

export const attemptNotFound = defineProblem(
  'deliveryAttemptNotFound',
  'notFound',
  (of: { repository: string; position: number }) =>
    `The event ${of.position} of the repository ${of.repository.slice(0, 100).toWellFormed()} is none of those that were last sent there.`,
)

export const eventForgotten = defineProblem(
  'deliveryEventForgotten',
  'notFound',
  (of: { position: number }) =>
    `The event ${of.position} is not kept any more. The setting outbox-keep says how long events stay after everybody was told.`,
)

type Sent = DeliveryAttempt & { readonly repository: string }

/** Sends a target something that says it is a test, once. Whatever becomes of it is what one wants to know. */
export async function sendTest({ repositories }: Services, target: DeliveryTarget, principalName: string): Promise<Sent> {
  const [repository] = [...repositories.values()]
  if (repository === undefined) throw attemptNotFound({ repository: '', position: 0 })
  const date = repository.now()
  const trace = repository.tracer.current()
  const told = { category: 'test', comment: 'A test, which nothing has led to', isQuiet: false, extended: null }
  const event = { position: 0, event: 'test', repository: repository.name, date, principalName, document: undefined, ...told }
  return sendNow(repository, target, {
    id: `${target.reader}/test/${randomUUID()}`,
    event: event.event,
    date,
    repository: repository.name,
    documentId: '',
    json: stringifyJson(logEntryOf({ ...event, membershipGeneration: undefined, trace: null })),
    position: null,
    isFullState: false,
    ...(trace !== undefined && { trace }),
  })
}

/**
 * Sends a target once more what it was sent or could not be sent, by the same id, so that who has it already can tell.
 * @throws attemptNotFound, eventForgotten
 */
export async function sendAgain(
  { repositories }: Services,
  target: DeliveryTarget,
  { repository: name, position }: { readonly repository: string; readonly position: number },
): Promise<Sent> {
  const repository = repositories.get(name)
  const state = repository && (await findDelivery(repository.store.reader.tables, target.reader))
  // Nothing but what was meant for the target is sent there: others may be told of other things.
  if (repository === undefined || !state?.attempts.some((attempt) => attempt.position === position))
    throw attemptNotFound({ repository: name, position })
  const event = await findEvent(repository, position)
  if (event === undefined) throw eventForgotten({ position })
  const sent = await sendNow(repository, target, messageOf(target, event))
  if (sent.outcome === 'delivered')
    await systemAccess(repository).write(({ tx }) => removeUndelivered(tx.tables, target.reader, position, position))
  return sent
}

async function sendNow(repository: Repository, target: DeliveryTarget, message: DeliveryMessage): Promise<Sent> {
  const milliseconds = usualRetries.attemptMilliseconds
  const began = performance.now()
  try {
    const outcome = await sendOnce(repository.tracer, target, message, {
      milliseconds,
      signal: AbortSignal.timeout(milliseconds),
    })
    const attempt = attemptOf(message, outcome, { date: repository.now(), milliseconds: performance.now() - began })
    await systemAccess(repository).write(({ tx }) => noteAttempt(tx.tables, target.reader, attempt))
    return { ...attempt, repository: repository.name }
  } finally {
    target.close()
  }
}
