import type { Value } from '../values/value.ts'

/** Thrown by a step that ends the whole call early and well: what it carries is the answer. */
export class ChainExit extends Error {
  readonly value: Value
  /** All that the call has written is undone. */
  readonly isUndone: boolean

  constructor(value: Value, isUndone: boolean) {
    super('The call has ended early.')
    this.value = value
    this.isUndone = isUndone
  }
}
