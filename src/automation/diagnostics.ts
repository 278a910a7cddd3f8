import { setTimeout as pause } from 'node:timers/promises'
import type { Reader, Transaction } from '../store/store.ts'
import { KeptTraces, keptUntil, type SharedState, type Trace } from './kept-traces.ts'

/** What administrators turn on and off while the server runs. */
export type DiagnosticSwitch = (typeof switches)[number]

const switches = ['showsStackTraces', 'recordsTraces'] as const

type Switches = { readonly [Name in DiagnosticSwitch]: boolean }

const keyOf = (name: DiagnosticSwitch) => `diagnostics/${name}`

// A statement for each call would cost more than most calls that find their document at hand.
const believedMillis = 5_000
// A database that does not answer shall not keep those waiting who are answered without it.
const longestWaitMillis = 200

/**
 * What administrators turn on to find out why something fails. It is on in all processes that share the database, for a day unless it is
 * turned off before: nobody would know which of them answers.
 */
export class Diagnostics {
  /** Runs calls, and keeps what they did while that is on. */
  readonly traces: Traces
  readonly kept: KeptTraces
  /** Where nobody has turned it. */
  readonly #usual: Switches
  readonly #shared: SharedState
  #known: Switches
  #askedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined
  #toggles = 0

  constructor({ showsStackTraces, ...shared }: SharedState & { readonly showsStackTraces: boolean }) {
    this.#shared = shared
    this.#usual = { showsStackTraces, recordsTraces: false }
    this.#known = this.#usual
    this.kept = new KeptTraces(shared)
    this.traces = new Traces((trace) => this.kept.keep(trace))
  }

  /** Errors are answered with where they happened. */
  get showsStackTraces(): boolean {
    return this.#known.showsStackTraces
  }

  /** Whatever was turned in another process five seconds ago is known here once this has settled, if the database is well. */
  refresh(): Promise<void> | undefined {
    if (performance.now() - this.#askedAt < believedMillis) return undefined
    this.#asking ??= this.#ask()
    return Promise.race([this.#asking, pause(longestWaitMillis, undefined, { ref: false })])
  }

  async isOn({ transient }: Pick<Reader, 'transient'>, name: DiagnosticSwitch): Promise<boolean> {
    return Boolean((await transient.find(keyOf(name), this.#shared.now())) ?? this.#usual[name])
  }

  /** For all processes; the opposite of what is unless it is said. Gives what is then. */
  async toggle(tx: Transaction, name: DiagnosticSwitch, asked: boolean | undefined): Promise<boolean> {
    const isOn = asked ?? !(await this.isOn(tx, name))
    await tx.transient.set(keyOf(name), isOn, keptUntil(this.#shared.now()))
    tx.afterCommit(() => {
      this.#toggles += 1
      this.#know({ ...this.#known, [name]: isOn })
    })
    return isOn
  }

  async #ask(): Promise<void> {
    const toggles = this.#toggles
    try {
      const { store, now } = this.#shared
      const found = await store.reader.transient.findAll(switches.map(keyOf), now())
      const isFoundOn = (name: DiagnosticSwitch) =>
        Boolean(found.find(({ key }) => key === keyOf(name))?.value ?? this.#usual[name])
      // What was turned here meanwhile may not have been found.
      if (toggles === this.#toggles) {
        this.#know({ showsStackTraces: isFoundOn('showsStackTraces'), recordsTraces: isFoundOn('recordsTraces') })
      }
    } catch (err) {
      // Whatever needs the database says so itself, and this is asked again soon.
      this.#shared.log.debug({ event: 'automation.unasked', err }, 'what administrators have turned on could not be found out')
    } finally {
      this.#askedAt = performance.now()
      this.#asking = undefined
    }
  }

  #know(known: Switches): void {
    this.#known = known
    this.traces.isRecording = known.recordsTraces
  }
}

/** What a call does, noted while it runs. Only names and kinds: what users write and send is private. */
export interface TracedCall {
  note(line: string): void
  /** A step begins; the function that is given notes how it ended. */
  enter(operation: string, input: string, parameters: readonly string[]): (how: 'gave' | 'failed', what: string) => void
}

/** Writes down what calls do, as long as recording is on. */
export class Traces {
  isRecording = false
  readonly #keep: (trace: Trace) => void

  constructor(keep: (trace: Trace) => void) {
    this.#keep = keep
  }

  /** Runs a call and records what it did. */
  record<Result>(id: string, body: (trace: TracedCall | undefined) => Promise<Result>): Promise<Result> {
    return this.isRecording ? this.#recorded(id, body) : body(undefined)
  }

  async #recorded<Result>(id: string, body: (trace: TracedCall) => Promise<Result>): Promise<Result> {
    const lines: string[] = [id]
    const startedAt = performance.now()
    const end = (how: string, isFailure: boolean) => this.#keep({ id, text: [...lines, how].join('\n'), isFailure })
    try {
      const result = await body(tracing(lines))
      end(`done ${since(startedAt)}`, false)
      return result
    } catch (error) {
      end(`failed ${since(startedAt)}: ${String(error)}`, true)
      throw error
    }
  }
}

/** What a step runs stands below it. */
function tracing(lines: string[]): TracedCall {
  let depth = 1
  const note = (line: string) => lines.push('  '.repeat(depth) + line)
  return {
    note,
    enter(operation, input, parameters) {
      note(`${operation}(${parameters.join(', ')}) on ${input}`)
      const startedAt = performance.now()
      depth += 1
      return (how, what) => {
        depth -= 1
        note(`${how} ${what} ${since(startedAt)}`)
      }
    },
  }
}

function since(startedAt: number): string {
  return `after ${(performance.now() - startedAt).toFixed(1)} ms`
}
