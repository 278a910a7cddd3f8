import { memoised } from '../../base/cache/memo.ts'
import type { Repository } from '../../core/session.ts'
import { wakersOf } from './outbox-listener.ts'
import { newestPosition, type OutboxPage, readOutbox } from './read-outbox.ts'

export interface OutboxFollowing {
  /** The position that was read last; the newest one to begin with what comes. */
  readonly after: number
  /** Most events that are handed out at once. */
  readonly pageSize?: number
  /** Ends it. */
  readonly signal: AbortSignal
}

const usualPageSize = 200
// What failed once, as while a database starts anew, mostly fails again at once.
const pauseAfterFailure = 1_000
// Longer than anybody waits: whatever is appended wakes all.
const restMilliseconds = 10_000

/**
 * All events after a position, page by page, for as long as the signal lets it: those of this process as soon as they are committed, those
 * of others a moment later. A failure to read is logged and tried again. Without an event no page is given, but one that tells of loss.
 */
export async function* followOutbox(repository: Repository, following: OutboxFollowing): AsyncGenerator<OutboxPage, void> {
  const { pageSize = usualPageSize, signal } = following
  let { after } = following
  const alarm = createAlarm(signal)
  const leave = lookoutOf(repository).join(alarm.ring)
  try {
    while (!signal.aborted) {
      const page = await readSafely(repository, after, pageSize)
      if (page === undefined) {
        await alarm.wait(pauseAfterFailure)
        continue
      }
      after = page.position
      if (page.events.length > 0 || page.isLossy) yield page
      if (!page.hasMore) await alarm.wait(restMilliseconds)
    }
  } finally {
    leave()
  }
}

/** How soon events of other processes are seen that nobody told of. A look is one row of an index. */
const lookMilliseconds = 100

interface Lookout {
  /** Has the function called whenever something may have been appended. Gives the function that ends it. */
  join(wake: () => void): () => void
}

/** One for all who follow in this process: told by others, and looking now and then for what nobody told, for as long as anybody follows. */
const lookoutOf = memoised((repository: Repository): Lookout => {
  const wakers = wakersOf(repository)
  let known = 0
  let isLooking = false
  let stop: (() => void) | undefined
  const wakeAll = () => {
    for (const wake of wakers) wake()
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const newest = await newestPosition(repository)
      if (newest > known) wakeAll()
      known = newest
    } catch (err) {
      repository.log.debug({ event: 'outbox.unreadable', repository: repository.name, err }, 'the outbox could not be looked at')
    }
    isLooking = false
  }

  function begin(): () => void {
    const timer = setInterval(look, lookMilliseconds).unref()
    const leave = repository.store.onNudged(wakeAll)
    return () => {
      clearInterval(timer)
      leave()
    }
  }

  return {
    join(wake) {
      wakers.add(wake)
      stop ??= begin()
      return () => {
        wakers.delete(wake)
        if (wakers.size > 0) return
        stop?.()
        stop = undefined
      }
    },
  }
})

async function readSafely(repository: Repository, after: number, limit: number): Promise<OutboxPage | undefined> {
  try {
    return await readOutbox(repository, after, limit)
  } catch (err) {
    const about = { event: 'outbox.unreadable', repository: repository.name, err }
    repository.log.warn(about, 'the outbox could not be read and will be tried again')
    return undefined
  }
}

/** Wakes who waits, or who will wait next. */
function createAlarm(signal: AbortSignal): { ring(): void; wait(milliseconds: number): Promise<boolean> } {
  let hasRung = false
  let end: (() => void) | undefined
  const ring = () => {
    hasRung = true
    end?.()
  }
  signal.addEventListener('abort', ring, { once: true })
  return {
    ring,
    /** Whether it rang before the time was over. */
    async wait(milliseconds) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, milliseconds).unref()
        end = resolve
        await promise
        clearTimeout(timer)
        end = undefined
      }
      const rang = hasRung
      hasRung = signal.aborted
      return rang
    },
  }
}
