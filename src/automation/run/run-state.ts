import type { Principal } from '../../model/rights/principal.ts'
import type { Value } from '../values/value.ts'
import { Stacks } from './stacks.ts'
import { UnsavedChanges } from './unsaved-changes.ts'

/** What the steps of a call share and change. */
export class RunState {
  readonly variables: Map<string, Value>
  /** For whom the steps act, the last one now; empty: for whoever called. */
  readonly actors: Principal[]
  #stacks: Stacks | undefined
  #unsaved: UnsavedChanges | undefined

  constructor(
    variables: Iterable<readonly [string, Value]>,
    stacks?: Stacks,
    unsaved?: UnsavedChanges,
    actors: Principal[] = [],
  ) {
    this.variables = new Map(variables)
    this.#stacks = stacks
    this.#unsaved = unsaved
    this.actors = actors
  }

  get stacks(): Stacks {
    this.#stacks ??= new Stacks()
    return this.#stacks
  }

  get unsaved(): UnsavedChanges {
    this.#unsaved ??= new UnsavedChanges()
    return this.#unsaved
  }

  /** As it is now: what happens to the copy is not seen here. */
  copy(): RunState {
    return new RunState(this.variables, this.#stacks?.copy(), this.#unsaved?.copy(), [...this.actors])
  }

  /** Gives the function that brings back what is now. */
  mark(): () => void {
    const variables = [...this.variables]
    const actors = [...this.actors]
    const rewinds = [this.stacks.mark(), this.unsaved.mark()]
    return () => {
      this.variables.clear()
      for (const [name, value] of variables) this.variables.set(name, value)
      this.actors.splice(0, this.actors.length, ...actors)
      for (const rewind of rewinds) rewind()
    }
  }
}
