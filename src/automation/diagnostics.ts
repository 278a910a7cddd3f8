import { createCache } from '../base/cache/bounded-cache.ts'

/** What administrators turn on to find out why something fails; it lasts as long as the process. */
export class Diagnostics {
  /** Errors are answered with where they happened. */
  showsStackTraces: boolean
  readonly traces = new Traces()

  constructor({ showsStackTraces }: { showsStackTraces: boolean }) {
    this.showsStackTraces = showsStackTraces
  }
}

/** What a call does, noted while it runs. Only names and kinds: what users write and send is private. */
export interface TracedCall {
  note(line: string): void
  /** A step begins; the function that is given notes how it ended. */
  enter(operation: string, input: string, parameters: readonly string[]): (how: 'gave' | 'failed', what: string) => void
}

const maxCalls = 200
const maxPerCall = 20

/** What the last calls did, in this process, as long as recording is on. */
export class Traces {
  isRecording = false
  /** What comes later pushes out what came before; nothing else does. */
  readonly #byCall = createCache<string, readonly string[]>({ maxEntries: maxCalls })
  #lastFailure: string | undefined

  /** The call with that id: the last one, or the one at a place counted from the oldest that is still known. */
  find(id: string, index: number): string | undefined {
    return this.#byCall.get(id)?.at(index)
  }

  findLastFailure(): string | undefined {
    return this.#lastFailure
  }

  /** Runs a call and records what it did. */
  record<Result>(id: string, body: (trace: TracedCall | undefined) => Promise<Result>): Promise<Result> {
    return this.isRecording ? this.#recorded(id, body) : body(undefined)
  }

  async #recorded<Result>(id: string, body: (trace: TracedCall) => Promise<Result>): Promise<Result> {
    const lines: string[] = [id]
    const startedAt = performance.now()
    try {
      const result = await body(tracing(lines))
      this.#store(id, [...lines, `done ${since(startedAt)}`].join('\n'))
      return result
    } catch (error) {
      this.#lastFailure = [...lines, `failed ${since(startedAt)}: ${String(error)}`].join('\n')
      this.#store(id, this.#lastFailure)
      throw error
    }
  }

  #store(id: string, text: string): void {
    const known = this.#byCall.get(id) ?? []
    this.#byCall.set(id, [...known, text].slice(-maxPerCall))
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
