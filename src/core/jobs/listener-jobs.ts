import type { Json } from '../../base/json.ts'
import { actingName } from '../../model/rights/principal.ts'
import type { DocumentEvent, ToldEvent, WriteSession } from '../session.ts'
import type { JobHandler } from './worker.ts'

const kind = 'tellListener'

/** Enqueues a job for every asynchronous listener of what the session announced: in its transaction, so that none is lost. */
export async function enqueueListenerJobs(session: WriteSession): Promise<void> {
  const bundles = new Map<string, ToldEvent[]>()
  for (const event of session.events.announced) {
    for (const { name } of session.repository.listeners.asynchronous(event.name)) {
      const bundle = bundles.get(name) ?? []
      bundle.push(storedEvent(event))
      bundles.set(name, bundle)
    }
  }
  for (const [listener, events] of bundles)
    await session.tx.jobs.add(kind, { listener, events }, { owner: session.principal.name })
}

/** Calls a listener with the events stored for it. One that no plugin brings any more is passed over. */
export const listenerJob: JobHandler = {
  kind,
  async run(payload, repository) {
    const { listener, events } = payload as { readonly listener: string; readonly events: readonly ToldEvent[] }
    await repository.listeners.findAsynchronous(listener)?.handle(events, repository)
  },
}

function storedEvent(event: DocumentEvent): ToldEvent {
  const { name, time, repository, sessionId, documentLifeCycle, category, comment } = event
  return {
    name,
    time,
    principal: actingName(event.principal),
    repository,
    sessionId,
    documentId: event.document.id,
    documentLifeCycle,
    category,
    comment,
    properties: Object.fromEntries(Object.entries(event.properties).filter(hasPlainValue)),
  }
}

/** Documents and rights are read anew when they are needed: by then they may be others. */
function hasPlainValue(entry: [name: string, value: unknown]): entry is [string, Json] {
  const [, value] = entry
  return Array.isArray(value) ? value.every(isScalar) : isScalar(value)
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
