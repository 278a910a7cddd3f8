import { createHmac, hash } from 'node:crypto'
import { finished } from 'node:stream/promises'
import { type IsoDate, isoDate } from '../../base/iso-date.ts'
import { stringifyJson } from '../../base/json.ts'
import type { Log } from '../../base/log.ts'
import { defineProblem } from '../../base/problem.ts'
import { type TypedName, typedName } from '../../base/typed-name.ts'
import { mayStill, type NotedRights, noteRights } from '../../core/noted-rights.ts'
import { readHolder } from '../../core/principals/name-holder.ts'
import type { Repository } from '../../core/session.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { Answer } from '../../rest/answer.ts'
import type { Store } from '../../store/store.ts'
import type { Call } from '../answer/http-exchange.ts'
import type { HttpSettings } from '../http-settings.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { type ByteLimits, readBytes } from '../request/request-body.ts'
import type { ContentTypes } from '../request/request-headers.ts'
import { answerFrom, type CopiedAnswer, copyAnswer, type StoredAnswer } from './stored-answer.ts'

export const keyInUse = defineProblem(
  'keyInUse',
  'conflict',
  (_: object) => 'The first request with this Idempotency-Key is still running. Repeat this one later.',
)

const neverAnswered = defineProblem(
  'neverAnswered',
  'conflict',
  (_: object) =>
    'The first request with this Idempotency-Key was cut off after it had written something, and is not done again. Look at what there is, and use another key for what is missing.',
)

const keyOfAnotherRequest = defineProblem(
  'keyOfAnotherRequest',
  'unprocessable',
  (of: { method: string; path: string }) => `This Idempotency-Key belongs to ${of.method} ${of.path}. Use another key.`,
)

const keyOfAnotherBody = defineProblem(
  'keyOfAnotherBody',
  'unprocessable',
  (_: object) => 'This Idempotency-Key belongs to a request with another body. Use another key.',
)

const rightsLost = defineProblem(
  'rightsLost',
  'forbidden',
  (_: object) => 'What the first request with this Idempotency-Key was allowed, you are not allowed any more. Use another key.',
)

const answerNotRepeatable = defineProblem(
  'answerNotRepeatable',
  'conflict',
  (_: object) =>
    'The first request with this Idempotency-Key was done. Its answer is about more documents than can be looked at again, and is not repeated. Use another key to do it once more.',
)

/** Answers a repeated request with what the first one was answered, or with what one that only reads is told now (contract: security 9.7). */
interface Idempotency {
  isAsked(call: Call): boolean
  /** @throws keyInUse, neverAnswered, keyOfAnotherRequest, keyOfAnotherBody, rightsLost, answerNotRepeatable, and whatever the request itself throws */
  once(call: Call, principal: Principal, run: (principal: Principal) => Promise<Answer>): Promise<Answer>
}

interface IdempotencyRecord {
  readonly method: string
  readonly path: string
  /** A digest of what followed the path, which may hold credentials; empty where nothing did. */
  readonly search: string
  /** Null while the first request runs, and where it was never answered. */
  readonly done: Done | null
  /** Stored with what the first request wrote, in one transaction: the process may die before the answer is kept. */
  readonly runsUntil?: IsoDate
}

type RecordKey = TypedName<IdempotencyRecord>

/** With what the caller was then and needed for it. */
interface Done extends NotedRights {
  /** With the key in it, which is not stored: else passwords of bodies could be guessed at, much faster than where they are kept. */
  readonly bodyDigest: string
  /** Null where the request only read: nobody can tell from an answer all that it took to be told it, as with a count. */
  readonly answer: StoredAnswer | null
}

interface ToKeep extends Pick<CopiedAnswer, 'answer'> {
  /** Null when it is made anew, undefined when it is too large to store: the key is free again. */
  readonly stored: StoredAnswer | null | undefined
}

const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'])
// A process may die with a request in hand, which has ended for sure this long after the transaction must have. The key is free then, unless
// something was written.
const graceSeconds = 60

interface IdempotencyOptions {
  readonly settings: Pick<HttpSettings, 'idempotencyTtlSeconds' | 'transactionTimeoutSeconds'>
  /** Where keys are claimed and answers kept, of whichever repository the request is. */
  readonly store: Store
  readonly directories: Store
  readonly repositories: ReadonlyMap<string, Repository>
  readonly contentTypeOf: ContentTypes
  readonly bodyLimits: ByteLimits
  readonly log: Log
}

export function createIdempotency({
  settings,
  store,
  directories,
  repositories,
  contentTypeOf,
  bodyLimits,
  log,
}: IdempotencyOptions): Idempotency {
  const secondsFromNow = (seconds: number) => isoDate(new Date(Date.now() + seconds * 1000))
  const leaseSeconds = settings.transactionTimeoutSeconds + graceSeconds
  const stores = [store, ...[...repositories.values()].map((repository) => repository.store).filter((other) => other !== store)]

  async function once(call: Call, principal: Principal, run: (principal: Principal) => Promise<Answer>): Promise<Answer> {
    const { method, path } = call.request
    const search = searchDigest(call.request)
    const sent = String(call.request.headers['idempotency-key'])
    call.addHeader('Idempotency-Key', sent)
    // Whoever has the name next is not told what this one was.
    const holder = await readHolder(directories.reader.transient, principal.name, isoDate(new Date()))
    const owner = holder === '' ? [principal.name] : [principal.name, holder]
    const key: RecordKey = typedName(`idempotency:${hash('sha256', stringifyJson([...owner, sent]))}`)
    const running: IdempotencyRecord = { method, path, search, done: null }
    const known = (await find(key)) ?? (await claim(key, running))
    const body = startBodyDigest(call.request, sent)
    if (known !== undefined) return replay(known, call, principal, body, run)
    const notes = noteRights(principal)
    const marked = markWrites(call, key, running)
    const { answer, stored } = await orRelease(key, marked, async () => copyWhatIsKept(call, await run(notes.principal)))
    const isKept = answer.status < 400 && stored !== undefined && !call.answersSecret
    const bodyDigest = isKept ? await body.finish() : undefined
    if (bodyDigest === undefined || stored === undefined) await release(key, marked)
    else {
      const done = { bodyDigest, ...notes.rights(), answer: stored }
      await remember(key, { method, path, search, done })
    }
    return answer
  }

  /** Gives where a mark may be: in each database that the request writes to. */
  function markWrites(call: Call, key: RecordKey, running: IdempotencyRecord): ReadonlySet<Store> {
    const marked = new Set([store])
    const mark = { ...running, runsUntil: secondsFromNow(leaseSeconds) }
    call.markWrite = async ({ transient }, repository) => {
      marked.add(repository.store)
      await transient.set(key, mark, secondsFromNow(settings.idempotencyTtlSeconds))
    }
    return marked
  }

  async function copyWhatIsKept({ onlyReads, request }: Call, answer: Answer): Promise<ToKeep> {
    if (!onlyReads) return copyAnswer(answer, contentTypeOf)
    // A body that was read as it came cannot be compared with another and be read then.
    return { answer, stored: request.bytesRead === undefined ? undefined : null }
  }

  async function replay(
    known: IdempotencyRecord,
    { request }: Call,
    principal: Principal,
    body: BodyDigest,
    run: (principal: Principal) => Promise<Answer>,
  ): Promise<Answer> {
    const { method, path, search, done, runsUntil } = known
    const isSame = method === request.method && path === request.path && search === searchDigest(request)
    if (!isSame) throw keyOfAnotherRequest({ method, path })
    if (done === null) throw runsUntil !== undefined && runsUntil <= secondsFromNow(0) ? neverAnswered({}) : keyInUse({})
    if (done.answer === null) await readBytes(request, bodyLimits)
    if ((await body.finish()) !== done.bodyDigest) throw keyOfAnotherBody({})
    if (!(await mayStill(repositories, principal, done))) throw rightsLost({})
    if (!done.isComplete) throw answerNotRepeatable({})
    return done.answer === null ? run(principal) : answerFrom(done.answer)
  }

  async function find(key: RecordKey): Promise<IdempotencyRecord | undefined> {
    for (const { reader } of stores) {
      const found = await reader.transient.find(key, isoDate(new Date()))
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Undefined when the key is ours now; otherwise what stands there. */
  async function claim(key: RecordKey, request: IdempotencyRecord): Promise<IdempotencyRecord | undefined> {
    const isOurs = await store.transact((tx) => tx.transient.add(key, request, secondsFromNow(leaseSeconds), isoDate(new Date())))
    return isOurs ? undefined : ((await find(key)) ?? request)
  }

  async function orRelease<Result>(key: RecordKey, marked: ReadonlySet<Store>, run: () => Promise<Result>): Promise<Result> {
    try {
      return await run()
    } catch (error) {
      await release(key, marked)
      throw error
    }
  }

  /** What was asked for is done and committed; that its answer cannot be stored must not make it a failure. */
  async function remember(key: RecordKey, stored: IdempotencyRecord): Promise<void> {
    try {
      await store.transact((tx) => tx.transient.set(key, stored, secondsFromNow(settings.idempotencyTtlSeconds)))
    } catch (err) {
      log.warn({ event: 'idempotency.notKept', err }, 'answer to a request with an Idempotency-Key could not be kept')
    }
  }

  async function release(key: RecordKey, marked: ReadonlySet<Store>): Promise<void> {
    try {
      for (const one of marked) await one.transact((tx) => tx.transient.remove(key))
    } catch (err) {
      log.warn({ event: 'idempotency.notReleased', err }, 'an Idempotency-Key could not be released before its lease ends')
    }
  }

  return {
    isAsked: ({ request }) => Boolean(request.headers['idempotency-key']) && !idempotentMethods.has(request.method),
    once,
  }
}

function searchDigest({ search }: IncomingRequest): string {
  return search === '' ? '' : hash('sha256', search)
}

/** What tells one body from another, whichever code reads it and however far. */
interface BodyDigest {
  /** Reads the rest of the body. Undefined when it does not come: such a body is like no other. */
  finish(): Promise<string | undefined>
}

/** Begins to hash a body before any code reads from it. */
function startBodyDigest(request: IncomingRequest, key: string): BodyDigest {
  const hash = createHmac('sha256', key)
  const note = (bytes: Uint8Array) => void hash.update(bytes)
  request.tap = note
  return {
    async finish() {
      request.tap = undefined
      const { raw, bytesRead } = request
      if (bytesRead !== undefined) note(bytesRead)
      else if (!raw.readableEnded && !raw.destroyed) {
        request.askForBody()
        raw.on('data', note)
        // A client that is too slow for it is disconnected.
        await finished(raw, { writable: false }).catch(() => {})
      }
      return raw.complete || bytesRead !== undefined ? hash.digest('hex') : undefined
    },
  }
}
