import { listenerJobKind } from '../event.ts'
import type { ToldEvent } from '../session.ts'
import type { JobHandler } from './worker.ts'

/** Calls a listener with the events stored for it. One that no plugin brings any more is passed over. */
export const listenerJob: JobHandler = {
  kind: listenerJobKind,
  async run(payload, repository) {
    const { listener, events } = payload as { readonly listener: string; readonly events: readonly ToldEvent[] }
    await repository.listeners.findAsynchronous(listener)?.handle(events, repository)
  },
}
