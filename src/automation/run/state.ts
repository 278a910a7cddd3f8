import { defineProblem } from '../../base/problem.ts'
import { type Access, actingAs } from '../../core/access.ts'
import type { Session } from '../../core/session.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { CallBudget } from '../budget.ts'
import {
  type FinalWrite,
  noOrigins,
  type OperationHost,
  type OperationServices,
  type Origin,
  type Origins,
  type RunOptions,
} from '../context.ts'
import type { TracedCall } from '../diagnostics.ts'
import type { OutgoingCalls } from '../outgoing-calls.ts'
import { type Callable, mayCall, type OperationRegistry } from '../registry.ts'
import { Stacks } from '../stacks.ts'
import { UnsavedChanges } from '../unsaved-changes.ts'
import type { ToldStep } from '../values/convert-parameter.ts'
import type { Value } from '../values/value.ts'

export const callsTooDeep = defineProblem(
  'callsTooDeep',
  'invalid',
  (of: { id: string; max: number }) => `Operations run each other more than ${of.max} deep; the last one was ${of.id}.`,
)

export const stepsTookTooLong = defineProblem(
  'stepsTookTooLong',
  'unavailable',
  (of: { id: string; seconds: number }) => `${of.id} took longer than ${of.seconds} seconds.`,
)

const maxCalls = 50

/** Where a call comes from: the way into the repository, and what the request brings beside its words. */
export interface CallEnvironment {
  readonly access: Access
  readonly operations: OperationRegistry
  readonly services: OperationServices
  readonly host: OperationHost
  /** Of several calls in one transaction; each has its own when absent. */
  readonly budget?: CallBudget
}

/** Whether the caller could call it from outside. */
export function isOpenTo({ access, host }: Pick<CallEnvironment, 'access' | 'host'>, callable: Callable): boolean {
  return mayCall(callable, access.principal, host)
}

/** What is settled when steps begin, and differs between those of one call. */
interface Frame {
  readonly callParameters: ReadonlyMap<string, Value>
  readonly callOrigins: Origins
  /** A deployed chain, and not the caller, has said what is called. */
  readonly isDeclared: boolean
  /** How many were logged in when the caller's own choice began, which logs none of them out. */
  readonly firstActor: number
  /** How many calls are around this one. */
  readonly depth: number
  /** No other operation runs before or after: what it writes where no transaction is open is a transaction of its own. */
  readonly isAlone: boolean
  readonly trace?: TracedCall | undefined
  readonly limit?: TimeLimit | undefined
}

interface TimeLimit {
  readonly id: string
  readonly seconds: number
  readonly endsAt: number
}

function limitOf(id: string, seconds: number): TimeLimit {
  return { id, seconds, endsAt: performance.now() + seconds * 1_000 }
}

function soonest(first: TimeLimit | undefined, second: TimeLimit | undefined): TimeLimit | undefined {
  if (first === undefined || second === undefined) return first ?? second
  return first.endsAt <= second.endsAt ? first : second
}

/** What becomes of a call beside its value. */
interface RunOutcome {
  status: number | undefined
  /** What is written once it has succeeded; undefined where nobody looks at it then, and it is written at once. */
  readonly endings: FinalWrite[] | undefined
}

/** One call as it is being run in a session: what its steps share, and what they are told. */
export class Run {
  readonly environment: CallEnvironment
  /** As it was opened, for the caller. */
  readonly opened: Session
  readonly state: RunState
  readonly frame: Frame
  /** Shared with all calls inside, as the outcome is. */
  readonly budget: CallBudget
  readonly outgoing: () => OutgoingCalls
  readonly outcome: RunOutcome

  private constructor(run: Pick<Run, 'environment' | 'opened' | 'budget' | 'outgoing' | 'state' | 'frame' | 'outcome'>) {
    this.environment = run.environment
    this.opened = run.opened
    this.budget = run.budget
    this.outgoing = run.outgoing
    this.state = run.state
    this.frame = run.frame
    this.outcome = run.outcome
  }

  static begin(
    environment: CallEnvironment,
    opened: Session,
    { budget, outgoing }: Pick<Run, 'budget' | 'outgoing'>,
    variables: Iterable<readonly [string, Value]>,
    frame: Pick<Frame, 'callParameters' | 'isAlone' | 'trace'>,
    endings?: FinalWrite[],
  ): Run {
    return new Run({
      environment,
      opened,
      budget,
      outgoing,
      state: new RunState(variables),
      frame: { depth: 0, isDeclared: false, firstActor: 0, callOrigins: noOrigins, ...frame },
      outcome: { status: undefined, endings },
    })
  }

  /** Goes on in another session: what happens there is not seen here, so that a transaction can begin with it more than once. */
  goOnIn(opened: Session): Run {
    const { status, endings } = this.outcome
    return new Run({ ...this, opened, state: this.state.copy(), outcome: { status, endings: endings && [...endings] } })
  }

  /** Acts for whom the steps so far have logged in. */
  get session(): Session {
    return this.actingIn(this.opened)
  }

  actingIn<S extends Session>(session: S): S {
    const actor = this.state.actors.at(-1)
    return actor === undefined ? session : actingAs(session, actor)
  }

  /** The same in a chain that was told these, beside what those around it were told. */
  inChain({ values, origins }: ToldStep): Run {
    const { frame } = this
    this.budget.count((frame.callParameters.size + values.size) / 16)
    const callParameters = new Map([...frame.callParameters, ...values])
    const callOrigins = new Map([...frame.callOrigins, ...origins])
    return new Run({ ...this, frame: { ...frame, callParameters, callOrigins } })
  }

  /** Whether the caller may call it by themselves. */
  isOpen(callable: Callable): boolean {
    return isOpenTo(this.environment, callable)
  }

  /** @throws stepsTookTooLong, callTookTooLong, callTakesTooMuch */
  beginStep(): Promise<void> | undefined {
    const { limit } = this.frame
    if (limit !== undefined && performance.now() > limit.endsAt) throw stepsTookTooLong(limit)
    return this.budget.operation()
  }

  /** A look at all variables, of which a caller may have sent many. */
  countVariables(): void {
    this.budget.count(this.state.variables.size / 16)
  }

  /** The call of another operation from a step of this one. @throws callsTooDeep */
  called(options: RunOptions, id: string): Run {
    const { parameters, isIsolated = false, isDeclared = false, variables = new Map(), timeoutSeconds } = options
    const { depth, callParameters, callOrigins, firstActor, limit } = this.frame
    if (depth >= maxCalls) throw callsTooDeep({ id, max: maxCalls })
    if (isIsolated) this.countVariables()
    const state = isIsolated ? this.state.copy() : this.state
    for (const [name, value] of variables) state.variables.set(name, value)
    return new Run({
      ...this,
      state,
      frame: {
        ...this.frame,
        depth: depth + 1,
        isDeclared,
        firstActor: isDeclared ? firstActor : this.state.actors.length,
        callParameters: parameters ?? callParameters,
        callOrigins: parameters === undefined ? callOrigins : originsOf(parameters, options.origin),
        limit: soonest(limit, timeoutSeconds === undefined ? undefined : limitOf(id, timeoutSeconds)),
      },
    })
  }
}

function originsOf(parameters: ReadonlyMap<string, Value>, origin: Origin | undefined): Origins {
  return origin === undefined ? noOrigins : new Map(parameters.keys().map((name) => [name, origin]))
}

/** What the steps of a call share and change. */
export class RunState {
  readonly variables: Map<string, Value>
  /** For whom the steps act, the last one now; empty: for the caller. */
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
