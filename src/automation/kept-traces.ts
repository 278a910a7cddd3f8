import { newId } from '../base/ids.ts'
import { isoDate } from '../base/iso-date.ts'
import type { Log } from '../base/log.ts'
import { shortened } from '../base/shortened.ts'
import type { Reader, Store, Transaction } from '../store/store.ts'

/** Of the database that all processes share. */
export interface SharedState {
  readonly store: Pick<Store, 'reader' | 'transact'>
  now(): string
  readonly log: Log
}

/** What a call has done. */
export interface Trace {
  /** Of the operation or chain. */
  readonly id: string
  readonly text: string
  readonly isFailure: boolean
}

const keptMillis = 86_400_000

/** Until when what administrators turn on lasts, and what was recorded is kept. */
export function keptUntil(now: string): string {
  return isoDate(new Date(Date.parse(now) + keptMillis))
}

const maxPerCall = 20
const maxText = 20_000
// What comes faster than it can be written pushes out what came before.
const maxWaiting = 500
const writtenAtOnce = 50

const lastFailureKey = 'trace-failure'
// What is no text (half of a surrogate pair) is no operation either, and cannot be encoded.
const prefixOf = (id: string) => `trace/${encodeURIComponent(id.toWellFormed())}/`

/**
 * What the last calls did, in any process. Calls do not wait until it is written: they may be in a transaction, which others who write
 * wait for.
 */
export class KeptTraces {
  readonly #shared: SharedState
  readonly #waiting: Trace[] = []
  #writing: Promise<void> | undefined

  constructor(shared: SharedState) {
    this.#shared = shared
  }

  keep(trace: Trace): void {
    this.#waiting.push({ ...trace, text: shortened(trace.text, maxText) })
    if (this.#waiting.length > maxWaiting) this.#waiting.shift()
    this.#writing ??= this.#writeAll()
  }

  /** Until what this process has recorded can be found; not from inside of a transaction, after which it would come. */
  async settled(): Promise<void> {
    await this.#writing
  }

  /** The call with that id: the last one, or the one at a place counted from the oldest that is still known. */
  async find({ transient }: Pick<Reader, 'transient'>, id: string, index: number): Promise<string | undefined> {
    return (await transient.list(prefixOf(id), this.#shared.now())).map(({ value }) => String(value)).at(index)
  }

  async findLastFailure({ transient }: Pick<Reader, 'transient'>): Promise<string | undefined> {
    const text = await transient.find(lastFailureKey, this.#shared.now())
    return text === undefined ? undefined : String(text)
  }

  async #writeAll(): Promise<void> {
    const { store, log } = this.#shared
    try {
      while (this.#waiting.length > 0) {
        const traces = this.#waiting.splice(0, writtenAtOnce)
        await store.transact((tx) => this.#write(tx, traces))
      }
    } catch (err) {
      log.warn({ event: 'automation.untraced', err }, 'what calls have done could not be kept')
    } finally {
      this.#writing = undefined
    }
  }

  async #write({ transient }: Transaction, traces: readonly Trace[]): Promise<void> {
    const now = this.#shared.now()
    // New ids are in the order in which they were made.
    for (const { id, text } of traces) await transient.set(prefixOf(id) + newId(), text, keptUntil(now))
    const failure = traces.findLast(({ isFailure }) => isFailure)
    if (failure !== undefined) await transient.set(lastFailureKey, failure.text, keptUntil(now))
    for (const id of new Set(traces.map((trace) => trace.id))) {
      const kept = await transient.list(prefixOf(id), now)
      for (const { key } of kept.slice(0, -maxPerCall)) await transient.remove(key)
    }
  }
}
