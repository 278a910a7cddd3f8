import { yieldToEventLoop } from '../base/event-loop.ts'
import { roughSize } from '../base/json.ts'
import { defineProblem } from '../base/problem.ts'
import type { Document } from '../model/document.ts'

/** What one call may cost, whatever it nests. */
export interface CallLimits {
  /** Operations that it runs, each item of a list counted; twenty steps of an expression count as one. */
  readonly steps: number
  /** Bytes of all values together that its expressions make. */
  readonly bytes: number
  /** Bytes of one value that an expression looks at or makes. */
  readonly valueBytes: number
  /** Documents that its steps give or are given, each once. */
  readonly documents: number
  /** Bytes of all those documents together. */
  readonly documentBytes: number
  /** From its first step to the beginning of its last. */
  readonly millis: number
}

export const callTakesTooMuch = defineProblem(
  'callTakesTooMuch',
  'invalid',
  (of: { what: 'steps' | 'bytes' | 'documents' | 'bytes of documents'; max: number }) =>
    `The call takes more than the ${of.max} ${of.what} that one call may take, with all that it runs. Ask for less at once.`,
)

export const callTookTooLong = defineProblem(
  'callTookTooLong',
  'unavailable',
  (of: { seconds: number }) =>
    `The call took longer than the ${of.seconds} seconds that one call may take, with all that it runs. Ask for less at once.`,
)

const unitsOfOperation = 20
// A look at this many bytes of a value takes about as long as a step of an expression: a microsecond.
const bytesOfUnit = 256
// Others wait no longer for their turn than this and what one step takes.
const turnMillis = 10

/** What is left for a call. All that it runs, however deep, draws on the same one. */
export class CallBudget {
  readonly limits: CallLimits
  /** Of values that were weighed before. */
  readonly weights = new WeakMap<object, { readonly bytes: number; readonly height: number }>()
  readonly #documents = new WeakSet<Document>()
  #documentCount = 0
  #documentBytes = 0
  #units = 0
  #bytes = 0
  #endsAt: number | undefined
  #turnEndsAt = 0
  #isSpent = false

  constructor(limits: CallLimits) {
    this.limits = limits
  }

  /** Nothing more of the call can run: a step that catches failures may not go on either. */
  get isSpent(): boolean {
    return this.#isSpent
  }

  /** Before an operation runs. @throws callTakesTooMuch, callTookTooLong */
  operation(): Promise<void> | undefined {
    return this.work(unitsOfOperation)
  }

  /** Before so many microseconds of work. Gives what to wait for when others have waited long enough. */
  work(units: number): Promise<void> | undefined {
    this.count(units)
    const now = performance.now()
    if (this.#endsAt === undefined) {
      this.#endsAt = now + this.limits.millis
      this.#turnEndsAt = now + turnMillis
    }
    if (now > this.#endsAt) throw this.#spent(callTookTooLong({ seconds: this.limits.millis / 1_000 }))
    return now < this.#turnEndsAt ? undefined : this.#letOthers()
  }

  /** The same, synchronous. @throws callTakesTooMuch */
  count(units: number): void {
    this.#units += units
    const max = this.limits.steps
    if (this.#units > max * unitsOfOperation) throw this.#spent(callTakesTooMuch({ what: 'steps', max }))
  }

  /** For going through so many bytes of a value. @throws callTakesTooMuch */
  look(bytes: number): void {
    this.count(bytes / bytesOfUnit)
  }

  /** For making a value of so many bytes. @throws callTakesTooMuch */
  make(bytes: number): void {
    this.#bytes += bytes
    const max = this.limits.bytes
    if (this.#bytes > max) throw this.#spent(callTakesTooMuch({ what: 'bytes', max }))
  }

  /** For documents that a step gives or is given; those that went through another step before are counted. @throws callTakesTooMuch */
  give(documents: readonly Document[]): void {
    for (const document of documents) {
      if (this.#documents.has(document)) continue
      this.#documents.add(document)
      this.#documentCount += 1
      this.#documentBytes += roughSize(document.properties)
    }
    const { documents: max, documentBytes: maxBytes } = this.limits
    if (this.#documentCount > max) throw this.#spent(callTakesTooMuch({ what: 'documents', max }))
    if (this.#documentBytes > maxBytes) throw this.#spent(callTakesTooMuch({ what: 'bytes of documents', max: maxBytes }))
  }

  /** All documents of a list that is read page by page, and no further than the call may. @throws callTakesTooMuch */
  async gather(pages: AsyncIterable<readonly Document[]>): Promise<readonly Document[]> {
    const gathered: Document[] = []
    for await (const page of pages) {
      this.give(page)
      gathered.push(...page)
      await this.work(page.length)
    }
    return gathered
  }

  /** Time in which the call waits for other work and blocks nothing is not its own. */
  async apart<Result>(body: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    try {
      return await body()
    } finally {
      if (this.#endsAt !== undefined) this.#endsAt += performance.now() - began
    }
  }

  async #letOthers(): Promise<void> {
    await yieldToEventLoop()
    this.#turnEndsAt = performance.now() + turnMillis
  }

  #spent(error: Error): Error {
    this.#isSpent = true
    return error
  }
}
