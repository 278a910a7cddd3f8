import { Problem } from '../../base/problem.ts'
import { type Access, accessIn, accessTo, isWriting } from '../../core/access.ts'
import type { Repository, Session, WriteSession } from '../../core/session.ts'
import type { Principal } from '../../model/rights/principal.ts'
import { ChainExit, endedEarly, failedInside, failureVariables, TransactionNeeded } from '../call-failure.ts'
import type { CatchChain, Chain } from '../chain.ts'
import { type FinalWrite, noOrigins, type OperationContext, type Origin, type Origins, type RunOptions } from '../context.ts'
import { isConditionMet } from '../expressions/evaluate-condition.ts'
import { evaluateParameters } from '../expressions/evaluate-template.ts'
import type { OperationCall, OperationMethod } from '../operation.ts'
import { operationNotFound } from '../registry.ts'
import {
  type ResolvedParameters,
  resolveParameters,
  type ToldStep,
  untold,
  valueOfParameter,
} from '../values/convert-parameter.ts'
import { readInput, toItems, valueOfOutput, valueOfOutputs } from '../values/convert-value.ts'
import { nothing, type Value, wordOf } from '../values/value.ts'
import {
  chooseMethod,
  hasOpened,
  type InnerChain,
  noParameters,
  type OperationStep,
  type Plan,
  planOf,
  requirePath,
  runsForEach,
  type Step,
} from './plan.ts'
import type { Run } from './state.ts'

/** Runs the steps, each on what the one before it gave. */
export async function runSteps(run: Run, plan: Plan, steps: readonly Step[], input: Value): Promise<Value> {
  let value = input
  for (const step of steps) {
    const turn = run.beginStep()
    if (turn !== undefined) await turn
    requireOpen(run, step)
    value = step.kind === 'operation' ? await runOperation(run, plan, step, value) : await runChain(run, plan, step, value)
  }
  return value
}

/**
 * What is not a step of a deployed chain was chosen by the caller, however deep it is, and has to be theirs to call.
 * @throws operationNotFound, also for what the caller may not call, to whom it looks absent
 */
function requireOpen(run: Run, step: Step): void {
  if (step.isDeclared || run.frame.isDeclared || run.isOpen(step)) return
  throw operationNotFound({ id: step.kind === 'operation' ? step.operation.id : step.chain.id })
}

async function runChain(run: Run, plan: Plan, step: InnerChain, value: Value): Promise<Value> {
  const { chain, steps } = step
  run.frame.trace?.note(`chain ${chain.id}`)
  const inside = run.inChain(await readChainParameters(run, step, value))
  return catching(inside, chain, value, () => runSteps(inside, plan, steps, value))
}

/** What the steps of a chain are told: what the chain was told, and what it declares instead. @throws parameterMissing */
export async function readChainParameters(
  run: Run,
  { chain: { id, params: declared = {} }, params, origins }: Pick<InnerChain, 'chain' | 'params' | 'origins'>,
  value: Value,
): Promise<ToldStep> {
  const context = contextOf(run, value)
  const own = { values: await evaluateParameters(params, context), origins }
  const resolved = await resolveParameters({ id, params: declared }, own, context)
  const read = Object.entries(resolved.values).map(
    ([name, one]) => [name, valueOfParameter(declared[name]?.word ?? 'object', one)] as const,
  )
  // What a chain declares as its parameter it lets its caller say.
  const opened = Object.keys(declared).map((name) => [name, resolved.origins.get(name) ?? 'opened'] as const)
  return { values: new Map([...own.values, ...read]), origins: new Map([...origins, ...opened]) }
}

async function runOperation(run: Run, plan: Plan, step: OperationStep, value: Value): Promise<Value> {
  const { operation } = step
  const method = chooseMethod(plan, step, value)
  const done = run.frame.trace?.enter(operation.id, wordOf(value), Object.keys(step.params))
  try {
    const output = await traced(run, operation.id, () => invoke(run, step, method, value))
    done?.('gave', wordOf(output))
    return output
  } catch (error) {
    done?.('failed', String(error))
    throw error
  }
}

function traced(run: Run, id: string, work: () => Promise<Value>): Promise<Value> {
  const { tracer } = run.environment.services
  return tracer.isOn ? tracer.run({ name: `operation ${id}`, attributes: { 'quire.operation': id } }, work) : work()
}

async function invoke(run: Run, step: OperationStep, method: OperationMethod, value: Value): Promise<Value> {
  if (!runsForEach(method, value)) return invokeOnce(run, step, method, value)
  const items = await toItems(contextOf(run, value), method.input, value)
  const outputs: Value[] = []
  // What is told once and for all is read once, also for no item at all; an expression may say something else of each.
  let told = await readParameters(run, step, items[0] ?? value)
  for (const [index, item] of items.entries()) {
    const turn = run.beginStep()
    if (turn !== undefined) await turn
    if (index > 0 && hasOpened(step)) told = await readParameters(run, step, item)
    outputs.push(goingOn(run, method, await call(run, step, method, told, item)))
  }
  return method.output === 'void' ? nothing : valueOfOutputs(method.output, outputs)
}

async function invokeOnce(run: Run, step: OperationStep, method: OperationMethod, value: Value): Promise<Value> {
  const output = await call(run, step, method, await readParameters(run, step, value), value)
  if (method.output !== 'void') return isPassedOn(value, output) ? value : goingOn(run, method, output)
  return method.input === 'void' ? value : nothing
}

/** The very documents that came in are still the page that they were. */
function isPassedOn(value: Value, output: unknown): boolean {
  return value.kind === 'documents' && value.documents === output
}

/** What a method gave, as it goes on. @throws callTakesTooMuch */
function goingOn({ budget }: Run, { output: word }: OperationMethod, output: unknown): Value {
  const value = word === 'void' ? nothing : valueOfOutput(word, output)
  if (value.kind === 'documents') budget.give(value.documents)
  else if (value.kind === 'document') budget.give([value.document])
  return value
}

async function readParameters(run: Run, step: OperationStep, value: Value): Promise<ResolvedParameters> {
  const { operation, params, origins } = step
  const context = contextOf(run, value)
  const own = params === noParameters ? untold : { values: await evaluateParameters(params, context), origins }
  return resolveParameters(operation, own, context, { isForOthers: !run.isOpen(step) })
}

async function call(
  run: Run,
  { operation }: OperationStep,
  method: OperationMethod,
  { values, origins }: ResolvedParameters,
  value: Value,
): Promise<unknown> {
  const context = contextOf(run, value, origins)
  const { session } = context
  try {
    const read = readInput(method.input, value, context)
    const input = read instanceof Promise ? await read : read
    // What the operation declares is what it is given: its effect says whether the session writes, its table what the parameters are.
    const given = { params: values, session, context } as unknown as OperationCall<never, never>
    // Where no transaction is open, whatever it waits for blocks no other request.
    if (operation.effect === 'waits' && !isWriting(session))
      return await run.budget.apart(async () => method.run(input as never, given))
    return await method.run(input as never, given)
  } catch (error) {
    throw error instanceof ChainExit ? error : failedInside(operation, error)
  }
}

interface Failure {
  readonly error: unknown
  readonly caught: CatchChain
}

/** Runs a chain, and what it declares for the case that it fails (contract: operations 1.12). */
async function catching(run: Run, { catches = [] }: Chain, input: Value, body: () => Promise<Value>): Promise<Value> {
  if (catches.length === 0) return body()
  const context = contextOf(run, input)
  const undone: Failure[] = []
  try {
    return await context.attempt(async () => {
      try {
        return await body()
      } catch (error) {
        const failure = await findCatch(contextOf(run, input), catches, error)
        if (failure !== undefined && !mustUndo(failure)) return await runCatch(context, failure, input)
        if (failure !== undefined) undone.push(failure)
        throw error
      }
    })
  } catch (error) {
    const [failure] = undone
    if (failure === undefined) throw error
    return runCatch(context, failure, input)
  }
}

/** Of a failure inside the store nothing is left on which a chain could build, so it is undone whatever the chain says. */
function mustUndo({ error, caught: { rollsBack = true } }: Failure): boolean {
  return rollsBack || !(error instanceof Problem)
}

async function findCatch(
  context: OperationContext,
  catches: readonly CatchChain[],
  error: unknown,
): Promise<Failure | undefined> {
  if (error instanceof ChainExit || context.budget.isSpent) return undefined
  const bindings = failureVariables(error)
  for (const caught of catches.toSorted((left, right) => (right.priority ?? 0) - (left.priority ?? 0))) {
    const isMeant = caught.filter === undefined || (await isConditionMet(context, caught.filter, bindings))
    if (isMeant) return { error, caught }
  }
  return undefined
}

async function runCatch(context: OperationContext, { error, caught }: Failure, input: Value): Promise<Value> {
  for (const [name, value] of failureVariables(error)) context.variables.set(name, value)
  return context.run(caught.chain, input, { isDeclared: true })
}

/** What one step sees of the run, as whoever it acts for now. */
export function contextOf(run: Run, input: Value, origins: Origins = noOrigins): OperationContext {
  return new StepContext(run, input, origins, run.session)
}

class StepContext<S extends Session> implements OperationContext<S> {
  readonly input: Value
  readonly session: S
  readonly #run: Run
  readonly #origins: Origins

  constructor(run: Run, input: Value, origins: Origins, session: S) {
    this.#run = run
    this.#origins = origins
    this.input = input
    this.session = session
  }

  get budget() {
    return this.#run.budget
  }

  get outgoing() {
    return this.#run.outgoing()
  }

  get caller() {
    return this.#run.environment.access.principal
  }

  get services() {
    return this.#run.environment.services
  }

  get host() {
    return this.#run.environment.host
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

  on(input: Value): OperationContext<S> {
    return new StepContext(this.#run, input, this.#origins, this.session)
  }

  within<Other extends Session>(session: Other): OperationContext<Other> {
    return new StepContext(this.#run, this.input, this.#origins, session)
  }

  async write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result> {
    const session = this.#run.opened
    if (isWriting(session)) return body(this.#run.actingIn(session))
    if (!this.#run.frame.isAlone) throw new TransactionNeeded()
    return this.#writeAlone(body)
  }

  /** With what is left to be written at the end: the call may fail yet, but this is done. */
  async #writeAlone<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result> {
    const { environment, outcome } = this.#run
    const { endings = [] } = outcome
    const left = endings.length
    const result = await environment.access.write(async (opened) => {
      endings.length = left
      const written = await body(this.#run.actingIn(opened))
      for (const ending of endings) await ending(opened)
      return written
    })
    endings.length = 0
    return result
  }

  async writeAtEnd(body: FinalWrite): Promise<void> {
    const { endings } = this.#run.outcome
    if (endings === undefined) await accessIn(this.session).write(body)
    else endings.push(body)
  }

  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return body(this.#run.session)
  }

  get principal(): Principal {
    return this.#run.session.principal
  }

  get repository(): Repository {
    return this.#run.opened.repository
  }

  /** In another repository than this what is written there is a transaction of its own. */
  get directories(): Access {
    const { home } = this.repository
    return home === this.repository ? this : accessTo(home, this.principal)
  }

  async attempt<Result>(body: () => Promise<Result>): Promise<Result> {
    const { state, outcome } = this.#run
    const { status, endings = [] } = outcome
    const left = endings.length
    this.#run.countVariables()
    const rewind = state.mark()
    const ended = () => body().then((result) => ({ result }), endedEarly)
    try {
      const end = await accessIn(this.#run.opened).attempt(ended)
      if ('exit' in end) throw end.exit
      return end.result
    } catch (error) {
      if (!(error instanceof ChainExit)) {
        rewind()
        outcome.status = status
        endings.length = left
      }
      throw error
    }
  }

  async run(id: string, input: Value, options: RunOptions = {}): Promise<Value> {
    const { operations } = this.#run.environment
    if (!options.isDeclared) this.requireMayRun(id)
    const plan = planOf(operations, operations.read(id))
    const run = this.#run.called(options, id)
    requirePath(plan, input)
    return runSteps(run, plan, [plan.root], input)
  }

  requireMayRun(id: string): void {
    const callable = this.#run.environment.operations.read(id)
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
}
