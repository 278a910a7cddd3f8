import type { FlowingBlob } from './values/flowing-blob.ts'

/**
 * What other servers have answered to a call. Its steps may run once more, in a transaction that nobody has foreseen: then they are given
 * what was answered the first time, and nobody is asked twice.
 */
export class OutgoingCalls {
  readonly #made: { readonly asked: string; readonly answer: FlowingBlob }[] = []
  #isRepeated = false
  #position = 0

  get count(): number {
    return this.#made.length
  }

  note(asked: string, answer: FlowingBlob): void {
    this.#made.push({ asked, answer })
  }

  /** The steps run once more, from the first one. */
  repeat(): void {
    this.#isRepeated = true
  }

  /** A transaction begins, maybe not for the first time. */
  rewind(): void {
    this.#position = 0
  }

  /** What was answered when these steps ran before; undefined for what they did not ask then. */
  findAnswer(asked: string): FlowingBlob | undefined {
    const made = this.#isRepeated ? this.#made[this.#position] : undefined
    if (made?.asked !== asked) return undefined
    this.#position += 1
    return made.answer
  }
}
