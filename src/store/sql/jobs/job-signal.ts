import type { Tracer } from '../../../base/tracing.ts'
import type { AddedJob } from '../../jobs.ts'

/** What the transactions of this process tell its job workers. */
export interface JobSignal {
  /** Tells that a transaction has added a job. */
  raise(job: AddedJob): void
  /** Gives the function that ends the listening. */
  listen(listener: (job: AddedJob) => void): () => void
  /** From then on there are no others. */
  admit(kinds: Iterable<string>): void
  /** A job of a kind without a handler would wait for ever, unnoticed. */
  requireKnown(kind: string): void
  /** What is under way, of which a job that is added will be a part; null where that is not recorded. */
  currentTrace(): string | null
}

export function createJobSignal(tracer?: Tracer): JobSignal {
  const listeners = new Set<(job: AddedJob) => void>()
  let known: ReadonlySet<string> | undefined
  return {
    raise(job) {
      for (const listener of listeners) listener(job)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    admit(kinds) {
      known = new Set(kinds)
    },
    requireKnown(kind) {
      if (known?.has(kind) === false) throw new Error(`no plugin has jobs of the kind ${kind}, so that it cannot be added`)
    },
    currentTrace: () => (tracer?.isOn === true ? (tracer.current()?.traceparent ?? null) : null),
  }
}
