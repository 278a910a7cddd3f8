import type { Json } from '../../base/json.ts'
import type { Services } from '../../rest/services.ts'

/** How far one has come: kept in its job, so that a turn may end anywhere and the next process goes on. */
export type TaskProgress<State extends Json = Json> = {
  /** Steps that were done, of so many in all as far as was known at the beginning. */
  readonly done: number
  readonly total: number
  /** What the next turn goes on with; what of it is the outcome, the task knows. */
  readonly state: State
}

/** A turn: what is done when there is no more to do. */
export type Turn<State extends Json> = TaskProgress<State> & { readonly isOver: boolean }

/** What a turn goes by. */
export interface TurnRules {
  /** It has taken as long as turns should. */
  isTimeUp(): boolean
  /** Somebody wants the task to end, or the server stops: for what cannot end whenever its time is up. */
  readonly signal: AbortSignal
  /** Tells whoever watches, for what takes longer than a turn should. */
  report(done: number, total: number): void
}

/** Work on everything that the server keeps, which an administrator starts and watches. */
export interface MaintenanceTask<State extends Json = Json> {
  readonly name: string
  /** Refuses at once what could only fail. */
  require?(services: Services): void
  begin(services: Services): Promise<TaskProgress<State>>
  /** Does some of it, until its time is up or all is done. @throws a problem that ends the task and is told */
  turn(services: Services, progress: TaskProgress<State>, rules: TurnRules): Promise<Turn<State>>
  /** What came out so far. */
  outcome(state: State): { readonly [name: string]: Json }
}
