import { defineProblem } from '../../base/problem.ts'
import { type Access, accessIn, accessTo, actingAs } from '../../core/access.ts'
import { isWriting, type Repository, type Session, type WriteSession } from '../../core/session.ts'
import type { Principal } from '../../model/rights/principal.ts'
import { type Callable, operationNotFound } from '../registry.ts'
import type { Value } from '../values/value.ts'
import type { CallBudget } from './budget.ts'
import { ChainExit } from './chain-exit.ts'
import type { OperationContext, RunOptions } from './context.ts'
import { mayCall } from './may-call.ts'
import { noOrigins, type Origin, type Origins } from './origin.ts'
import { planOf } from './plan.ts'
import type { ToldStep } from './resolve-parameters.ts'
import { RunState } from './run-state.ts'
import { type RunInSession, requirePath, runSteps } from './run-steps.ts'
import type { RunSurroundings } from './run-surroundings.ts'
import type { TracedCall } from './traces.ts'
import { TransactionNeeded } from './transaction-needed.ts'

export const callsTooDeep = defineProblem(
  'callsTooDeep',
  'invalid',
  (of: { id: string; most: number }) => `Operations run each other more than ${of.most} deep; the last one was ${of.id}.`,
)

export const stepsTookTooLong = defineProblem(
  'stepsTookTooLong',
  'unavailable',
  (of: { id: string; seconds: number }) => `${of.id} took longer than ${of.seconds} seconds.`,
)

const mostCalls = 50

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

/** One call as it is being run: what its steps share, and what they are told. */
export class OperationRun {
  readonly surroundings: RunSurroundings
  readonly state: RunState
  readonly frame: Frame
  /** Shared with all calls inside, as the outcome is. */
  readonly budget: CallBudget
  readonly outcome: { status: number | undefined }

  private constructor(run: Pick<OperationRun, 'surroundings' | 'budget' | 'state' | 'frame' | 'outcome'>) {
    this.surroundings = run.surroundings
    this.budget = run.budget
    this.state = run.state
    this.frame = run.frame
    this.outcome = run.outcome
  }

  static begin(
    surroundings: RunSurroundings,
    budget: CallBudget,
    variables: ReadonlyMap<string, Value>,
    frame: Pick<Frame, 'callParameters' | 'isAlone' | 'trace'>,
  ): OperationRun {
    return new OperationRun({
      surroundings,
      budget,
      state: new RunState(variables),
      frame: { depth: 0, isDeclared: false, firstActor: 0, callOrigins: noOrigins, ...frame },
      outcome: { status: undefined },
    })
  }

  /** As it is now: what the copy does is not seen here. A transaction that is run again begins with a copy each time. */
  copy(): OperationRun {
    return new OperationRun({ ...this, state: this.state.copy(), outcome: { ...this.outcome } })
  }

  /** The session for whom the steps act now. */
  sessionIn<S extends Session>(session: S): S {
    const actor = this.state.actors.at(-1)
    return actor === undefined ? session : actingAs(session, actor)
  }

  within(session: Session): RunInSession {
    return new RunHere(this, session)
  }

  inChain({ values, origins }: ToldStep): OperationRun {
    const { frame } = this
    this.budget.count((frame.callParameters.size + values.size) / 16)
    const callParameters = new Map([...frame.callParameters, ...values])
    const callOrigins = new Map([...frame.callOrigins, ...origins])
    return new OperationRun({ ...this, frame: { ...frame, callParameters, callOrigins } })
  }

  isOpen(callable: Callable): boolean {
    return isOpenTo(this.surroundings, callable)
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
  called(options: RunOptions, id: string): OperationRun {
    const { parameters, isIsolated = false, isDeclared = false, variables = new Map(), timeoutSeconds } = options
    const { depth, callParameters, callOrigins, firstActor, limit } = this.frame
    if (depth >= mostCalls) throw callsTooDeep({ id, most: mostCalls })
    if (isIsolated) this.countVariables()
    const state = isIsolated ? this.state.copy() : this.state
    for (const [name, value] of variables) state.variables.set(name, value)
    return new OperationRun({
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

/** Whether whoever called could call it from outside. */
export function isOpenTo({ access, host }: Pick<RunSurroundings, 'access' | 'host'>, callable: Callable): boolean {
  return mayCall(callable, access.principal, host)
}

/** The run in one session. */
class RunHere implements RunInSession {
  readonly #run: OperationRun
  readonly #session: Session

  constructor(run: OperationRun, session: Session) {
    this.#run = run
    this.#session = session
  }

  get session(): Session {
    return this.#run.sessionIn(this.#session)
  }

  get trace(): TracedCall | undefined {
    return this.#run.frame.trace
  }

  get isDeclared(): boolean {
    return this.#run.frame.isDeclared
  }

  isOpen(callable: Callable): boolean {
    return this.#run.isOpen(callable)
  }

  contextFor(input: Value, origins?: Origins): OperationContext {
    return new StepContext(this.#run, this.#session, input, origins)
  }

  inChain(told: ToldStep): RunInSession {
    return new RunHere(this.#run.inChain(told), this.#session)
  }

  get budget(): CallBudget {
    return this.#run.budget
  }

  beginStep(): Promise<void> | undefined {
    return this.#run.beginStep()
  }
}

/** What one step sees of the run. */
class StepContext implements OperationContext {
  readonly input: Value
  readonly #run: OperationRun
  readonly #session: Session
  readonly #origins: Origins

  constructor(run: OperationRun, session: Session, input: Value, origins: Origins = noOrigins) {
    this.#run = run
    this.#session = session
    this.#origins = origins
    this.input = input
  }

  get budget() {
    return this.#run.budget
  }

  get caller() {
    return this.#run.surroundings.access.principal
  }

  get services() {
    return this.#run.surroundings.services
  }

  get host() {
    return this.#run.surroundings.host
  }

  get variables() {
    return this.#run.state.variables
  }

  get callParameters() {
    return this.#run.frame.callParameters
  }

  get callOrigins() {
    return this.#run.frame.callOrigins
  }

  get stacks() {
    return this.#run.state.stacks
  }

  get unsaved() {
    return this.#run.state.unsaved
  }

  originOf(parameter: string): Origin | undefined {
    return this.#origins.get(parameter)
  }

  on(input: Value): OperationContext {
    return new StepContext(this.#run, this.#session, input, this.#origins)
  }

  async write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result> {
    const session = this.#session
    if (isWriting(session)) return body(this.#run.sessionIn(session))
    this.#requireAlone()
    return this.#run.surroundings.access.write((opened) => body(this.#run.sessionIn(opened)))
  }

  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return body(this.#run.sessionIn(this.#session))
  }

  get principal(): Principal {
    return this.#run.sessionIn(this.#session).principal
  }

  get repository(): Repository {
    return this.#session.repository
  }

  /** In another repository than this what is written there is a transaction of its own. */
  get directories(): Access {
    const { home } = this.repository
    return home === this.repository ? this : accessTo(home, this.principal)
  }

  async attempt<Result>(body: () => Promise<Result>): Promise<Result> {
    const { state, outcome } = this.#run
    const { status } = outcome
    this.#run.countVariables()
    const rewind = state.mark()
    const ended = () => body().then((result) => ({ result }), keptExit)
    try {
      const end = await accessIn(this.#session).attempt(ended)
      if ('exit' in end) throw end.exit
      return end.result
    } catch (error) {
      if (!(error instanceof ChainExit)) {
        rewind()
        outcome.status = status
      }
      throw error
    }
  }

  async run(id: string, input: Value, options: RunOptions = {}): Promise<Value> {
    const { operations } = this.#run.surroundings
    if (!options.isDeclared) this.requireMayRun(id)
    const plan = planOf(operations, operations.read(id))
    const run = this.#run.called(options, id)
    requirePath(plan, input)
    return runSteps(run.within(this.#session), plan, [plan.root], input)
  }

  requireMayRun(id: string): void {
    const callable = this.#run.surroundings.operations.read(id)
    if (!this.#run.isOpen(callable)) throw operationNotFound({ id })
  }

  exit(value: Value, { isUndone = false }: { readonly isUndone?: boolean } = {}): never {
    throw new ChainExit(value, isUndone)
  }

  actAs(principal: Principal): void {
    this.#run.state.actors.push(principal)
  }

  actAsBefore(): void {
    const { frame, state } = this.#run
    if (state.actors.length > frame.firstActor) state.actors.pop()
  }

  succeedWith(status: number): void {
    this.#run.outcome.status = status
  }

  #requireAlone(): void {
    if (!this.#run.frame.isAlone) throw new TransactionNeeded()
  }
}

/** Ending the call early is no failure: what was done before it stays. */
function keptExit(error: unknown): { readonly exit: ChainExit } {
  if (error instanceof ChainExit && !error.isUndone) return { exit: error }
  throw error
}
