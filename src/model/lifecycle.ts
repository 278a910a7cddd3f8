import { defineProblem } from '../base/problem.ts'

/** Named states, transitions to one destination each, and which transitions each state allows. */
export interface Lifecycle {
  readonly name: string
  readonly initial: string
  readonly states: { readonly [state: string]: readonly string[] }
  readonly transitions: { readonly [transition: string]: string }
}

/** Policy and state of a type that has no lifecycle. */
export const noLifecycle = 'undefined'

export const transitionNotAllowed = defineProblem(
  'transitionNotAllowed',
  'conflict',
  (at: { transition: string; state: string }) => `Not allowed to follow transition ${at.transition} from state ${at.state}`,
)

export const unknownState = defineProblem(
  'unknownState',
  'invalid',
  (at: { state: string; lifecycle: string }) => `${at.state} is not a state of lifecycle ${at.lifecycle}`,
)

/** Transitions that lead to no state any more: they put a document into the trash and take it out again. */
export const trashTransition = 'delete'
export const untrashTransition = 'undelete'

/** Own names only: a state called `constructor` is in no lifecycle. */
export function hasState(lifecycle: Lifecycle, state: string): boolean {
  return Object.hasOwn(lifecycle.states, state)
}

export function allowedTransitions(lifecycle: Lifecycle | undefined, state: string): readonly string[] {
  return lifecycle !== undefined && hasState(lifecycle, state) ? (lifecycle.states[state] ?? []) : []
}

/** The state a transition leads to. */
export function planTransition(lifecycle: Lifecycle | undefined, state: string, transition: string): string {
  const destination = lifecycle?.transitions[transition]
  if (destination === undefined || !allowedTransitions(lifecycle, state).includes(transition)) {
    throw transitionNotAllowed({ transition, state })
  }
  return destination
}
