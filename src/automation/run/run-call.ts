import type { Json } from '../../base/json.ts'
import type { Session } from '../../core/session.ts'
import type { Chain } from '../chain.ts'
import type { Effect } from '../operation.ts'
import { type Callable, type OperationRegistry, operationNotFound } from '../registry.ts'
import { resolveSentInput } from '../values/convert-input.ts'
import { valueOfJson } from '../values/sent-value.ts'
import { nothing, type Value } from '../values/value.ts'
import { CallBudget } from './budget.ts'
import { ChainExit } from './chain-exit.ts'
import { failedCall } from './invocation-failure.ts'
import { noOrigins } from './origin.ts'
import { effectOf, noParameters, type Plan, planOf, type Step } from './plan.ts'
import { type ToldStep, untold } from './resolve-parameters.ts'
import { isOpenTo, OperationRun } from './run.ts'
import { type RunInSession, readChainParameters, requirePath, runSteps } from './run-steps.ts'
import type { RunSurroundings } from './run-surroundings.ts'
import type { TracedCall } from './traces.ts'
import { TransactionNeeded } from './transaction-needed.ts'

/** What somebody asks for. */
export interface OperationRequest {
  /** As it was called, for messages. */
  readonly id: string
  readonly callable: Callable
  readonly params: { readonly [name: string]: Json }
  readonly context: { readonly [name: string]: Json }
  /** What the operation is to work on; found in the session in which it then runs. */
  input(session: Session): Promise<Value> | Value
}

export interface Outcome {
  readonly value: Value
  /** As an operation chose it; undefined for the usual one. */
  readonly status: number | undefined
}

type Finish<Result> = (session: Session, outcome: Outcome) => Promise<Result>

/**
 * Runs what a request asks for, in one transaction where any of it writes. `finish` makes the answer, before that commits and for
 * whoever called, whomever the steps have acted for.
 * @throws operationNotFound, also for what the caller may not call; what the steps throw, with the operation's id before it
 */
export async function runCall<Result>(
  surroundings: RunSurroundings,
  request: OperationRequest,
  finish: Finish<Result>,
): Promise<Result> {
  // Whichever door let the request in, and however long ago.
  if (!isOpenTo(surroundings, request.callable)) throw operationNotFound({ id: request.id })
  const plan = planOf(surroundings.operations, request.callable)
  return surroundings.services.diagnostics.traces.record(idOf(request.callable), async (trace) => {
    const call = new Call(surroundings, request, plan, trace)
    try {
      return await call.runIn(splitSteps(surroundings, plan), finish)
    } catch (error) {
      if (error instanceof ChainExit) return surroundings.access.read((session) => finish(session, call.outcomeOf(error.value)))
      if (!(error instanceof TransactionNeeded)) throw error
      return call.runIn({ ahead: [], rest: stepsOf(plan), writes: true }, finish)
    }
  })
}

function idOf(callable: Callable): string {
  return callable.kind === 'operation' ? callable.operation.id : callable.chain.id
}

/** What is done before the transaction, and what in it, if it takes one. */
interface Split {
  readonly ahead: readonly Step[]
  readonly rest: readonly Step[]
  readonly writes: boolean
}

// Plans are made once for each operation and chain.
const splits = new WeakMap<Plan, Split>()

/** Steps that wait for something else than the store are done ahead, as far as none before them writes. */
function splitSteps({ operations }: RunSurroundings, plan: Plan): Split {
  const split = splits.get(plan) ?? createSplit(operations, plan)
  splits.set(plan, split)
  return split
}

function createSplit(operations: OperationRegistry, plan: Plan): Split {
  const steps = stepsOf(plan)
  const effects: readonly Effect[] = steps.map((step) => effectOf(operations, step))
  const firstWrite = effects.indexOf('writes')
  const count = effects.slice(0, firstWrite < 0 ? effects.length : firstWrite).lastIndexOf('waits') + 1
  return { ahead: steps.slice(0, count), rest: steps.slice(count), writes: firstWrite >= 0 }
}

function stepsOf({ root }: Plan): readonly Step[] {
  return root.kind === 'chain' && findPlainChain({ root }) !== undefined ? root.steps : [root]
}

/** A chain whose steps can be run one by one: a chain that catches what they throw has to see them all. */
function findPlainChain({ root }: Pick<Plan, 'root'>): Chain | undefined {
  return root.kind === 'chain' && (root.chain.catches ?? []).length === 0 ? root.chain : undefined
}

/** What has come of the steps so far. */
interface Progress {
  readonly run: OperationRun
  readonly value: Value
  readonly told: ToldStep
}

class Call {
  readonly #surroundings: RunSurroundings
  readonly #request: OperationRequest
  readonly #plan: Plan
  readonly #trace: TracedCall | undefined
  readonly #budget: CallBudget
  #status: number | undefined

  constructor(surroundings: RunSurroundings, request: OperationRequest, plan: Plan, trace: TracedCall | undefined) {
    this.#surroundings = surroundings
    this.#request = request
    this.#plan = plan
    this.#trace = trace
    this.#budget = surroundings.budget ?? new CallBudget(surroundings.services.automation.limits)
  }

  outcomeOf(value: Value): Outcome {
    return { value, status: this.#status }
  }

  async runIn<Result>({ ahead, rest, writes }: Split, finish: Finish<Result>): Promise<Result> {
    const surroundings = this.#surroundings
    const before = ahead.length === 0 ? undefined : await surroundings.access.read((session) => this.#advance(session, ahead))
    const goOn = async (session: Session) => {
      const value = await this.#end(session, rest, before)
      return finish(session, this.outcomeOf(value))
    }
    return writes ? surroundings.access.write(goOn) : surroundings.access.read(goOn)
  }

  /** Whoever ends the call early without undoing anything ends it well. */
  async #end(session: Session, steps: readonly Step[], before: Progress | undefined): Promise<Value> {
    try {
      return (await this.#advance(session, steps, before)).value
    } catch (error) {
      if (error instanceof ChainExit && !error.isUndone) return error.value
      throw error
    }
  }

  /** Runs steps from the beginning of the call, or from where those before them came to. */
  async #advance(session: Session, steps: readonly Step[], before?: Progress): Promise<Progress> {
    const run = before?.run.copy() ?? this.#newRun()
    try {
      const { value, told } = before ?? (await this.#begin(run.within(session)))
      const inside = findPlainChain(this.#plan) === undefined ? run.within(session) : run.within(session).inChain(told)
      return { run, told, value: await runSteps(inside, this.#plan, steps, value) }
    } catch (error) {
      throw this.#told(error)
    } finally {
      this.#status = run.outcome.status
    }
  }

  #newRun(): OperationRun {
    const { params, context } = this.#request
    return OperationRun.begin(this.#surroundings, this.#budget, valuesOf(context), {
      callParameters: valuesOf(params),
      isAlone: this.#plan.operations.length === 1,
      trace: this.#trace,
    })
  }

  /** What the first step works on, and what a chain is told. */
  async #begin(inside: RunInSession): Promise<Omit<Progress, 'run'>> {
    const converting = { session: inside.session, context: inside.contextFor(nothing) }
    const found = this.#request.input(inside.session)
    const resolved = resolveSentInput(converting, found instanceof Promise ? await found : found)
    const value = resolved instanceof Promise ? await resolved : resolved
    requirePath(this.#plan, value)
    const chain = findPlainChain(this.#plan)
    if (chain === undefined) return { value, told: untold }
    return { value, told: await readChainParameters(inside, { chain, params: noParameters, origins: noOrigins }, value) }
  }

  #told(error: unknown): unknown {
    return error instanceof ChainExit || error instanceof TransactionNeeded ? error : failedCall(this.#request.id, error)
  }
}

function valuesOf(sent: { readonly [name: string]: Json }): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>()
  for (const name of Object.keys(sent)) values.set(name, valueOfJson(sent[name] ?? null))
  return values
}
