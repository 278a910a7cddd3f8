import { setTimeout as delay, setImmediate as nextRound } from 'node:timers/promises'
import type { Repository } from '../../core/session.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { LiveLine } from '../../rest/answer.ts'
import { databaseUnreachable } from '../../store/problems.ts'
import { createSemaphore } from '../../store/sql/semaphore.ts'
import { noDeadline } from '../../store/sql/transact.ts'
import { readStoredSecret } from '../../store/stored-secret.ts'
import {
  followOutbox,
  newestPosition,
  type OutboxEvent,
  type OutboxPage,
  readOutbox,
  removalEvents,
  settledPosition,
} from '../outbox/index.ts'
import { type Audience, findAudience } from './audience.ts'
import type { EventFilter } from './event-filter.ts'
import { aliveLines, eventLines, openingLines, positionLines, resetLines } from './live-event.ts'
import { createPositionIds, type PositionIds } from './position-ids.ts'
import { type DatedPrincipal, type ListeningPrincipal, withKnown } from './removals.ts'

export interface BroadcastRules {
  /** What may wait in memory for one client. */
  readonly maxWaitingBytes: number
  readonly keepAliveMilliseconds: number
}

/** Where a stream begins. */
export interface StreamStart {
  readonly position: number
  /** Between what the client had last and the beginning something may be missing. */
  readonly isReset: boolean
}

/** What a client asked for, and who that is. */
export interface Subscription {
  readonly start: StreamStart
  readonly filter: EventFilter
  readonly principal: Principal
  /** Who it is now; undefined when it is to be told nothing any more. */
  renew(): Promise<Principal | undefined>
}

/** Tells the events of a repository to all who listen in this process: they are read, and rights looked up, once for all. */
export interface Broadcast {
  /** Where to begin for a client that had this event last; now, where it had none. */
  findStart(lastEventId: string | undefined): Promise<StreamStart>
  /** Tells the client from here on. Gives the function that ends it. */
  open(line: LiveLine, subscription: Subscription): () => void
}

interface Stream extends Omit<Subscription, 'start'>, ListeningPrincipal {
  readonly line: LiveLine
  /** The last event that it was told of, or need not be. */
  position: number
  principal: Principal
  known: readonly DatedPrincipal[]
  /** Of the directories, when it was last found out who listens. */
  generation: number
  /** It hears with all others; before, it is told by itself what happened since its start. */
  isLevel: boolean
  isOver: boolean
  /** What its client had not taken when that was last looked at. */
  waitedBytes: number
  /** How often in a row it was still the same. */
  stuckLooks: number
}

/** The reading of the outbox for as long as somebody listens. */
interface Run {
  /** All that are level were told of events up to here. */
  position: number
  readonly end: AbortController
}

const pageSize = 100
/** A client that has missed more than so many loads everything again sooner than it would hear of them. */
const maxReplayed = 10_000
const retryMilliseconds = 1_000
/** So soon a stream ends whose token, session or account has; before anything is sent it is looked at in any case. */
const watchMilliseconds = 1_000
/** What ends by itself, without a change of directories: tokens that expire, sessions that nobody uses. */
const renewMilliseconds = 30_000
/** A server that is busy itself for a while does not read either what a client has taken. */
const maxStuckLooks = 2
const replaysAtOnce = 4
/** Of a stream of which it is to be found out anew who listens. */
const unknownGeneration = -1
const renewalsAtOnce = 50

export function createBroadcast(repository: Repository, rules: BroadcastRules): Broadcast {
  const { log, home, store } = repository
  const streams = new Set<Stream>()
  const replays = createSemaphore(replaysAtOnce)
  let secret: PositionIds | undefined
  let run: Run | undefined
  let renewedAt = performance.now()

  async function readIds(): Promise<PositionIds> {
    secret ??= createPositionIds(await readStoredSecret(store, 'liveEvents:secret'))
    return secret
  }

  async function findStart(lastEventId: string | undefined): Promise<StreamStart> {
    const ids = await readIds()
    const now = run?.position ?? (await settledPosition(repository))
    if (lastEventId === undefined) return { position: now, isReset: false }
    const position = ids.open(lastEventId)
    if (position === undefined || now - position > maxReplayed) return { position: now, isReset: true }
    // It may come from a process that is ahead of this one; or from a database that was put back to what it was before.
    const isReset = position > now && position > (await newestPosition(repository))
    return { position: isReset ? now : position, isReset }
  }

  function open(line: LiveLine, { start, ...subscription }: Subscription): () => void {
    const stream: Stream = {
      ...subscription,
      line,
      position: start.position,
      known: [],
      generation: unknownGeneration,
      isLevel: false,
      isOver: false,
      waitedBytes: 0,
      stuckLooks: 0,
    }
    streams.add(stream)
    run ??= begin(start.position)
    const ids = secret
    if (ids !== undefined) {
      line.send(openingLines(ids.seal(start.position), retryMilliseconds))
      if (start.isReset) line.send(resetLines(ids.seal(start.position)))
    }
    catchUp(stream).catch((error) => giveUp(stream, error))
    return () => end(stream)
  }

  function end(stream: Stream): void {
    stream.isOver = true
    streams.delete(stream)
    if (streams.size > 0) return
    run?.end.abort()
    run = undefined
  }

  function close(stream: Stream): void {
    stream.isOver = true
    stream.line.close()
  }

  function giveUp(stream: Stream, err: unknown): void {
    if (!stream.isOver) log.warn({ event: 'liveEvents.broken', repository: repository.name, err }, 'live events broke off')
    close(stream)
  }

  function begin(position: number): Run {
    const begun: Run = { position, end: new AbortController() }
    const signal = AbortSignal.any([begun.end.signal, repository.stopping.signal])
    const timers = [setInterval(keepAlive, rules.keepAliveMilliseconds), setInterval(watch, watchMilliseconds)]
    for (const timer of timers) timer.unref()
    signal.addEventListener('abort', () => timers.forEach(clearInterval), { once: true })
    follow(begun, signal).catch((err: unknown) => {
      log.error({ event: 'liveEvents.lost', repository: repository.name, err }, 'live events ended')
      for (const stream of streams) close(stream)
    })
    return begun
  }

  async function follow(current: Run, signal: AbortSignal): Promise<void> {
    for await (const page of followOutbox(repository, { after: current.position, pageSize, signal })) {
      const audience = await findAudienceAtLast(page, signal)
      if (signal.aborted || audience === undefined) return
      const told = withLines(page, audience)
      for (const stream of streams) {
        if (!stream.isLevel) continue
        tell(stream, told)
        if (stream.line.waitingBytes > rules.maxWaitingBytes) leaveBehind(stream)
      }
      current.position = page.position
    }
  }

  /** What cannot be found out now is tried again; nobody is told before. Undefined when it has ended meanwhile. */
  async function findAudienceAtLast(page: OutboxPage, signal: AbortSignal): Promise<Audience | undefined> {
    while (!signal.aborted) {
      try {
        // Both are as of now, whichever is first: the two wait for the database together.
        const [audience] = await Promise.all([findAudience(repository, page.events), renew(streams)])
        return audience
      } catch (err) {
        if (signal.aborted) return undefined
        log.warn({ event: 'liveEvents.delayed', repository: repository.name, err }, 'live events are told later')
        await delay(retryMilliseconds, undefined, { signal }).catch(() => {})
      }
    }
    return undefined
  }

  /** Tells one stream what it may know of a page and asked for. */
  function tell(stream: Stream, { page, audience, linesOf }: ToldPage): void {
    if (stream.isOver) return
    let { isLossy } = page
    let text = ''
    for (const event of page.events) {
      if (event.position <= stream.position) continue
      const shown = audience.shownTo(stream, event)
      const isWanted = stream.filter(shown)
      if (!isWanted && !removalEvents.has(event.event)) continue
      const verdict = audience.judge(stream, event)
      // Whatever was asked for: a filter could ask about one document.
      if (verdict === 'reset') isLossy = true
      else if (verdict === 'tell' && isWanted) text += linesOf(shown)
    }
    stream.position = Math.max(stream.position, page.position)
    const lines = isLossy && secret !== undefined ? `${resetLines(secret.seal(page.position))}${text}` : text
    if (lines === '') return
    stream.line.send(lines)
  }

  /** Nothing is stored for a client that is slower than what happens: from here on it is told at its own pace. */
  function leaveBehind(stream: Stream): void {
    stream.isLevel = false
    stream.line
      .drained()
      .then(() => catchUp(stream))
      .catch((error) => giveUp(stream, error))
  }

  function drop(stream: Stream): void {
    log.info({ event: 'liveEvents.dropped', user: stream.principal.name }, 'a client does not read its live events')
    stream.isOver = true
    stream.line.drop()
  }

  function withLines(page: OutboxPage, audience: Audience): ToldPage {
    const lines = new Map<OutboxEvent, string>()
    const linesOf = (event: OutboxEvent) => {
      const known = lines.get(event) ?? eventLines(event, secret?.seal(event.position) ?? '')
      lines.set(event, known)
      return known
    }
    return { page, audience, linesOf }
  }

  /** Tells a stream by itself what it missed, at the pace of its client, until it is where all others are. */
  async function catchUp(stream: Stream): Promise<void> {
    await renew([stream])
    while (!stream.isOver) {
      // Nothing is awaited between this look and what follows: no event is told twice or left out.
      if (run !== undefined && stream.position >= run.position) {
        stream.isLevel = true
        return
      }
      if (run !== undefined && run.position - stream.position > maxReplayed) drop(stream)
      const told = await readMissed(stream)
      if (stream.isOver) return
      tell(stream, told)
      await stream.line.drained()
    }
  }

  async function readMissed(stream: Stream): Promise<ToldPage> {
    const release = await replays.acquire(noDeadline)
    try {
      const page = await readOutbox(repository, stream.position, pageSize)
      await renew([stream])
      return withLines(page, await findAudience(repository, page.events))
    } finally {
      release()
    }
  }

  /** As of now, and not of what this process saw when it last looked. */
  async function readGeneration(): Promise<number> {
    await nextRound()
    store.meetRequest()
    home.store.meetRequest()
    return home.store.reader.directories.generation()
  }

  /** Finds out anew who listens, where anything has changed that could say so. */
  async function renew(some: Iterable<Stream>): Promise<void> {
    const memberships = await home.store.reader.directories.membershipGeneration()
    const generation = await readGeneration()
    const stale = [...some].filter((stream) => stream.generation !== generation)
    if (stale.length === 0) return
    const found = new Map<Stream, Principal>()
    for (let first = 0; first < stale.length; first += renewalsAtOnce)
      await Promise.all(stale.slice(first, first + renewalsAtOnce).map((stream) => renewOne(stream, generation, found)))
    // Where nobody was put into a group meanwhile or taken out of one, they are exactly who they were all the time.
    const isExact = (await home.store.reader.directories.membershipGeneration()) === memberships
    for (const [stream, principal] of found) {
      if (isExact) stream.known = withKnown(stream.known, { generation: memberships, principal })
      else stream.generation = unknownGeneration
    }
  }

  async function renewOne(stream: Stream, generation: number, found: Map<Stream, Principal>): Promise<void> {
    if (stream.isOver) return
    try {
      const principal = await stream.renew()
      if (principal === undefined) return close(stream)
      found.set(stream, principal)
      // Of two that were under way the later one counts.
      if (generation > stream.generation) Object.assign(stream, { principal, generation })
    } catch (error) {
      if (databaseUnreachable.is(error)) throw error
      giveUp(stream, error)
    }
  }

  function watch(): void {
    const now = performance.now()
    if (now - renewedAt >= renewMilliseconds) {
      renewedAt = now
      for (const stream of streams) stream.generation = unknownGeneration
    }
    renew(streams).catch((err: unknown) => log.debug({ event: 'liveEvents.unwatched', err }, 'who listens could not be checked'))
  }

  function keepAlive(): void {
    if (run === undefined || secret === undefined) return
    const lines = positionLines(secret.seal(run.position))
    for (const stream of streams) {
      const { waitingBytes } = stream.line
      // One that is told at its own pace is sent nothing while anything waits: where that stays the same, it has not taken a byte.
      const isStuck = !stream.isLevel && waitingBytes > 0 && waitingBytes === stream.waitedBytes
      stream.waitedBytes = waitingBytes
      stream.stuckLooks = isStuck ? stream.stuckLooks + 1 : 0
      if (stream.stuckLooks >= maxStuckLooks) drop(stream)
      else if (waitingBytes === 0) stream.line.send(stream.isLevel ? lines : aliveLines)
    }
  }

  return { findStart, open }
}

/** A page of events, ready for any stream. */
interface ToldPage {
  readonly page: OutboxPage
  readonly audience: Audience
  linesOf(event: OutboxEvent): string
}
