import { defineProblem } from '../base/problem.ts'
import type { Value, ValueOf } from './values/value.ts'

export type StackedKind = 'document' | 'documents' | 'blob' | 'blobs'

export const stackEmpty = defineProblem(
  'stackEmpty',
  'invalid',
  (of: { kind: string }) => `There is nothing to take back: no ${of.kind} was pushed before.`,
)

/** What the steps of a chain put aside, one pile for each kind. */
export class Stacks {
  readonly #piles = new Map<StackedKind, Value[]>()

  constructor(piles?: Iterable<readonly [StackedKind, readonly Value[]]>) {
    if (piles !== undefined) for (const [kind, pile] of piles) this.#piles.set(kind, [...pile])
  }

  push(value: ValueOf<StackedKind>): void {
    const pile = this.#piles.get(value.kind)
    if (pile === undefined) this.#piles.set(value.kind, [value])
    else pile.push(value)
  }

  /** The last that was pushed. @throws stackEmpty */
  pop<Kind extends StackedKind>(kind: Kind): ValueOf<Kind> {
    return this.#taken(kind, this.#piles.get(kind)?.pop())
  }

  /** The first that was pushed. @throws stackEmpty */
  pull<Kind extends StackedKind>(kind: Kind): ValueOf<Kind> {
    return this.#taken(kind, this.#piles.get(kind)?.shift())
  }

  copy(): Stacks {
    return new Stacks(this.#piles)
  }

  /** Gives the function that brings back what is there now. */
  mark(): () => void {
    const before = this.copy()
    return () => {
      this.#piles.clear()
      for (const [kind, pile] of before.#piles) this.#piles.set(kind, pile)
    }
  }

  #taken<Kind extends StackedKind>(kind: Kind, value: Value | undefined): ValueOf<Kind> {
    if (value === undefined) throw stackEmpty({ kind })
    return value as ValueOf<Kind>
  }
}
