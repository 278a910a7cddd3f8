import { memoised } from '../../base/cache/memo.ts'
import type { Json } from '../../base/json.ts'
import { accessIn } from '../../core/access.ts'
import type { Session } from '../../core/session.ts'
import { CallBudget } from '../budget.ts'
import { ChainExit, failedCall, TransactionNeeded } from '../call-failure.ts'
import type { Chain } from '../chain.ts'
import { type FinalWrite, noOrigins } from '../context.ts'
import type { TracedCall } from '../diagnostics.ts'
import type { Effect } from '../operation.ts'
import { OutgoingCalls } from '../outgoing-calls.ts'
import { type Callable, type OperationRegistry, operationNotFound } from '../registry.ts'
import { type ToldStep, untold } from '../values/convert-parameter.ts'
import { resolveSentInput } from '../values/convert-value.ts'
import { valueOfJson } from '../values/read-sent-properties.ts'
import { nothing, type Value } from '../values/value.ts'
import { effectOf, noParameters, type Plan, planOf, requirePath, type Step } from './plan.ts'
import { type CallEnvironment, isOpenTo, Run } from './state.ts'
import { contextOf, readChainParameters, runSteps } from './steps.ts'

// How a call of an operation or a chain runs, in the order to read it:
//   plan.ts    what is known before it runs: its steps, which methods lead through them, what they need of their environment;
//   call.ts    this file: what of it runs before the transaction, what in it, and what becomes of the outcome;
//   steps.ts   the steps one after the other: their parameters, their methods, chains that catch, and what an operation is handed;
//   state.ts   what the steps share and change, and what was settled when they began.

/** What a client asks for. */
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
 * the caller, whomever the steps have acted for.
 * @throws operationNotFound, also for what the caller may not call; what the steps throw, with the operation's id before it
 */
export async function runCall<Result>(
  environment: CallEnvironment,
  request: OperationRequest,
  finish: Finish<Result>,
): Promise<Result> {
  // Whichever door let the request in, and however long ago.
  if (!isOpenTo(environment, request.callable)) throw operationNotFound({ id: request.id })
  const plan = planOf(environment.operations, request.callable)
  return environment.services.diagnostics.traces.record(idOf(request.callable), async (trace) => {
    const call = new Call(environment, request, plan, trace)
    try {
      return await call.runIn(splitFor(environment.operations, plan, request), finish)
    } catch (error) {
      if (error instanceof ChainExit) return environment.access.read((session) => call.finishIn(session, error.value, finish))
      if (!(error instanceof TransactionNeeded)) throw error
      call.repeat()
      return call.runIn({ ahead: [], rest: stepsOf(plan), writes: true }, finish)
    }
  })
}

/** Whether no step of it writes, or does anything beside looking at the store. */
export function onlyReads(operations: OperationRegistry, callable: Callable): boolean {
  const { ahead, writes } = splitSteps(operations, planOf(operations, callable))
  return ahead.length === 0 && !writes
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
const splitsOf = memoised((_: OperationRegistry) => new WeakMap<Plan, Split>())

/** Steps that wait for something else than the store are done ahead, as far as none before them writes. */
function splitSteps(operations: OperationRegistry, plan: Plan): Split {
  const splits = splitsOf(operations)
  const split = splits.get(plan) ?? createSplit(operations, plan)
  splits.set(plan, split)
  return split
}

/** Where it is up to what was sent whether an operation waits. */
function splitFor(operations: OperationRegistry, plan: Plan, { params }: Pick<OperationRequest, 'params'>): Split {
  const isUpToCaller = plan.operations.some(({ waitsFor }) => waitsFor !== undefined)
  return isUpToCaller ? createSplit(operations, plan, params) : splitSteps(operations, plan)
}

function createSplit(operations: OperationRegistry, plan: Plan, sent?: OperationRequest['params']): Split {
  const steps = stepsOf(plan)
  const effects: readonly Effect[] = steps.map((step) => effectOf(operations, step, sent))
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
  readonly run: Run
  readonly value: Value
  readonly told: ToldStep
}

class Call {
  readonly #environment: CallEnvironment
  readonly #request: OperationRequest
  readonly #plan: Plan
  readonly #trace: TracedCall | undefined
  readonly #budget: CallBudget
  #outgoing: OutgoingCalls | undefined
  #status: number | undefined
  #endings: readonly FinalWrite[] = []

  constructor(environment: CallEnvironment, request: OperationRequest, plan: Plan, trace: TracedCall | undefined) {
    this.#environment = environment
    this.#request = request
    this.#plan = plan
    this.#trace = trace
    this.#budget = environment.budget ?? new CallBudget(environment.services.automation.limits)
  }

  /** All steps are about to run once more. */
  repeat(): void {
    this.#outgoing?.repeat()
  }

  /** Few calls make any. */
  #outgoingCalls(): OutgoingCalls {
    this.#outgoing ??= new OutgoingCalls()
    return this.#outgoing
  }

  /** Makes the answer, and writes what was left until it is sure that there is one. */
  async finishIn<Result>(session: Session, value: Value, finish: Finish<Result>): Promise<Result> {
    const result = await finish(session, { value, status: this.#status })
    const endings = this.#endings
    if (endings.length > 0) {
      await accessIn(session).write(async (writing) => {
        for (const ending of endings) await ending(writing)
      })
    }
    return result
  }

  async runIn<Result>({ ahead, rest, writes }: Split, finish: Finish<Result>): Promise<Result> {
    const environment = this.#environment
    const before = ahead.length === 0 ? undefined : await environment.access.read((session) => this.#advance(session, ahead))
    const goOn = async (session: Session) => {
      this.#outgoing?.rewind()
      const value = await this.#end(session, rest, before)
      return this.finishIn(session, value, finish)
    }
    return writes ? environment.access.write(goOn) : environment.access.read(goOn)
  }

  /** A call that is ended early without a rollback has succeeded. */
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
    const run = before?.run.goOnIn(session) ?? this.#newRun(session)
    try {
      const { value, told } = before ?? (await this.#begin(run))
      const inside = findPlainChain(this.#plan) === undefined ? run : run.inChain(told)
      return { run, told, value: await runSteps(inside, this.#plan, steps, value) }
    } catch (error) {
      throw this.#told(error)
    } finally {
      this.#status = run.outcome.status
      this.#endings = run.outcome.endings ?? []
    }
  }

  #newRun(session: Session): Run {
    const { params, context } = this.#request
    const frame = {
      callParameters: valuesOf(params),
      isAlone: this.#plan.operations.length === 1,
      trace: this.#trace,
    }
    const shared = { budget: this.#budget, outgoing: () => this.#outgoingCalls() }
    return Run.begin(this.#environment, session, shared, valuesOf(context), frame, [])
  }

  /** What the first step works on, and what a chain is told. */
  async #begin(run: Run): Promise<Omit<Progress, 'run'>> {
    const context = contextOf(run, nothing)
    const found = this.#request.input(context.session)
    const resolved = resolveSentInput(context, found instanceof Promise ? await found : found)
    const value = resolved instanceof Promise ? await resolved : resolved
    requirePath(this.#plan, value)
    const chain = findPlainChain(this.#plan)
    if (chain === undefined) return { value, told: untold }
    return { value, told: await readChainParameters(run, { chain, params: noParameters, origins: noOrigins }, value) }
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
