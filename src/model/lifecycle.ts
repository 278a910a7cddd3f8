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

export const stateOfTrash = defineProblem(
  'stateOfTrash',
  'invalid',
  (of: { state: string }) =>
    `No document can be in the state ${of.state}, to which only the trash led. Create it in another one, and put it into the trash.`,
)

/** Transitions that lead to no state any more: they put a document into the trash and take it out again. */
export const trashTransition = 'delete'
export const untrashTransition = 'undelete'

/** Own names only: a state called `constructor` is in no lifecycle. */
export function hasState(lifecycle: Lifecycle, state: string): boolean {
  return Object.hasOwn(lifecycle.states, state)
}

/**
 * Whether a document may begin its life in the state. One to which only the way into the trash led is a state of nothing any more:
 * the trash changes no state, so that no transition would lead out of it (contract: core-model 6).
 */
export function mayBeginIn(lifecycle: Lifecycle, state: string): boolean {
  if (!hasState(lifecycle, state)) return false
  const ways = Object.keys(lifecycle.transitions).filter((transition) => lifecycle.transitions[transition] === state)
  return state === lifecycle.initial || ways.length === 0 || ways.some((transition) => transition !== trashTransition)
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
