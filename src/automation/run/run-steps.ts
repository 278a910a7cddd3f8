import type { Json } from '../../base/json.ts'
import { isWriting, type Session } from '../../core/session.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { Chain } from '../chain.ts'
import { evaluateTemplate } from '../expressions/evaluate-template.ts'
import type { OperationMethod } from '../operation.ts'
import { type Callable, operationNotFound } from '../registry.ts'
import { readInput } from '../values/convert-input.ts'
import { valueOfOutput, valueOfOutputs } from '../values/convert-output.ts'
import { valueOfParameter } from '../values/convert-parameter.ts'
import { type Converting, toBlobs, toDocuments } from '../values/convert-value.ts'
import { hasExpressions } from '../values/has-expressions.ts'
import { valueOfJson } from '../values/sent-value.ts'
import { nothing, type Value } from '../values/value.ts'
import type { InputWord } from '../values/words.ts'
import type { CallBudget } from './budget.ts'
import { catching } from './catch-chain.ts'
import { ChainExit } from './chain-exit.ts'
import type { OperationContext } from './context.ts'
import { failedInside, noMethodForInput } from './invocation-failure.ts'
import { kindAfter, runsForEach, suitableMethods } from './method-choice.ts'
import type { Origins } from './origin.ts'
import { type InnerChain, noParameters, type OperationStep, type Plan, type Step, type StepParameters } from './plan.ts'
import { type ResolvedParameters, resolveParameters, type ToldStep, untold } from './resolve-parameters.ts'
import type { TracedCall } from './traces.ts'

/** A call that is being run, in the session in which it is now. */
export interface RunInSession {
  /** Acts for whom the steps so far have logged in. */
  readonly session: Session
  /** For a step whose parameters have these origins. */
  contextFor(input: Value, origins?: Origins): OperationContext
  /** The same in a chain that was told these, beside what those around it were told. */
  inChain(told: ToldStep): RunInSession
  /** A deployed chain, and not the caller, has said what runs here. */
  readonly isDeclared: boolean
  /** Whether the caller may call it by themselves. */
  isOpen(callable: Callable): boolean
  /** Notes what is done, while somebody wants to know. */
  readonly trace: TracedCall | undefined
  readonly budget: CallBudget
  /** @throws stepsTookTooLong, callTookTooLong, callTakesTooMuch */
  beginStep(): Promise<void> | undefined
}

/** @throws noMethodForInput when the call cannot run on such a value, before any of it has run */
export function requirePath({ operations: [first], leadsOn }: Plan, value: Value): void {
  if (first !== undefined && !leadsOn(0, value.kind)) throw noMethodForInput({ operation: first.id, type: wordOf(value) })
}

/** Runs the steps, each on what the one before it gave. */
export async function runSteps(run: RunInSession, plan: Plan, steps: readonly Step[], input: Value): Promise<Value> {
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
 * @throws operationNotFound, also for what the caller may not call: nobody learns of it here
 */
function requireOpen(run: RunInSession, step: Step): void {
  if (step.isDeclared || run.isDeclared || run.isOpen(step)) return
  throw operationNotFound({ id: step.kind === 'operation' ? step.operation.id : step.chain.id })
}

async function runChain(run: RunInSession, plan: Plan, step: InnerChain, value: Value): Promise<Value> {
  const { chain, steps } = step
  run.trace?.note(`chain ${chain.id}`)
  const inside = run.inChain(await readChainParameters(run, step, value))
  return catching(inside, chain, value, () => runSteps(inside, plan, steps, value))
}

/** What the steps of a chain are told: what the chain was told, and what it declares instead. @throws parameterMissing */
export async function readChainParameters(
  run: RunInSession,
  { chain: { id, params: declared = {} }, params, origins }: Pick<InnerChain, 'chain' | 'params' | 'origins'>,
  value: Value,
): Promise<ToldStep> {
  const converting = { session: run.session, context: run.contextFor(value) }
  const own = { values: await stepParameters(params, converting), origins }
  const resolved = await resolveParameters({ id, params: declared }, own, converting)
  const read = Object.entries(resolved.values).map(
    ([name, one]) => [name, valueOfParameter(wordIn(declared, name), one)] as const,
  )
  // What a chain declares as its parameter it lets its caller say.
  const opened = Object.keys(declared).map((name) => [name, resolved.origins.get(name) ?? 'opened'] as const)
  return { values: new Map([...own.values, ...read]), origins: new Map([...origins, ...opened]) }
}

function wordIn(declared: NonNullable<Chain['params']>, name: string) {
  return declared[name]?.word ?? 'object'
}

async function runOperation(run: RunInSession, plan: Plan, step: OperationStep, value: Value): Promise<Value> {
  const { operation } = step
  const method = chooseMethod(plan, step, value)
  const done = run.trace?.enter(operation.id, wordOf(value), Object.keys(step.params))
  try {
    const output = await invoke(run, step, method, value)
    done?.('gave', wordOf(output))
    return output
  } catch (error) {
    done?.('failed', String(error))
    throw error
  }
}

/** The method that suits the value best of those after which the other steps can still run. @throws noMethodForInput */
function chooseMethod({ leadsOn }: Plan, { operation, position }: OperationStep, value: Value): OperationMethod {
  const { kind } = value
  const method = suitableMethods(operation.methods, kind).find((one) => leadsOn(position + 1, kindAfter(one, kind)))
  if (method === undefined) throw noMethodForInput({ operation: operation.id, type: wordOf(value) })
  return method
}

async function invoke(run: RunInSession, step: OperationStep, method: OperationMethod, value: Value): Promise<Value> {
  if (!runsForEach(method, value)) return invokeOnce(run, step, method, value)
  const items = await toItems(method.input, value, { session: run.session, context: run.contextFor(value) })
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

async function invokeOnce(run: RunInSession, step: OperationStep, method: OperationMethod, value: Value): Promise<Value> {
  const output = await call(run, step, method, await readParameters(run, step, value), value)
  if (method.output !== 'void') return goingOn(run, method, output)
  return method.input === 'void' ? value : nothing
}

/** What a method gave, as it goes on. @throws callTakesTooMuch */
function goingOn({ budget }: RunInSession, { output: word }: OperationMethod, output: unknown): Value {
  const value = word === 'void' ? nothing : valueOfOutput(word, output)
  if (value.kind === 'documents') budget.give(value.documents)
  else if (value.kind === 'document') budget.give([value.document])
  return value
}

function hasOpened({ origins }: OperationStep): boolean {
  return origins.values().some((origin) => origin === 'opened')
}

async function readParameters(run: RunInSession, step: OperationStep, value: Value): Promise<ResolvedParameters> {
  const { operation, params, origins } = step
  const converting = { session: run.session, context: run.contextFor(value) }
  const own = params === noParameters ? untold : { values: await stepParameters(params, converting), origins }
  return resolveParameters(operation, own, converting, { isForOthers: !run.isOpen(step) })
}

async function call(
  run: RunInSession,
  { operation }: OperationStep,
  method: OperationMethod,
  { values, origins }: ResolvedParameters,
  value: Value,
): Promise<unknown> {
  const { session } = run
  const context = run.contextFor(value, origins)
  try {
    const read = readInput(method.input, value, { session, context })
    const input = read instanceof Promise ? await read : read
    const given = { params: values as never, session: session as never, context }
    // Where no transaction is open, whatever it waits for holds up nobody else.
    if (operation.effect === 'waits' && !isWriting(session))
      return await run.budget.apart(async () => method.run(input as never, given))
    return await method.run(input as never, given)
  } catch (error) {
    throw error instanceof ChainExit ? error : failedInside(operation, error)
  }
}

/** The word for a value in messages. */
function wordOf(value: Value): string {
  switch (value.kind) {
    case 'nothing':
      return 'void'
    case 'blobs':
      return 'bloblist'
    case 'entity':
      return value.entityType
    default:
      return value.kind
  }
}

/** What a chain tells a step: texts that begin with `expr:` are expressions, wherever they stand. */
async function stepParameters(params: StepParameters, converting: Converting): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>()
  for (const [name, json] of Object.entries(params)) values.set(name, await evaluated(json, converting))
  return values
}

async function evaluated(json: Json, converting: Converting): Promise<Value> {
  if (!hasExpressions(json)) return valueOfJson(json)
  if (typeof json === 'string') return evaluateTemplate(converting, json)
  if (Array.isArray(json)) return { kind: 'list', items: await evaluatedItems(json, converting) }
  const members = await evaluatedItems(Object.values(json as JsonObject), converting)
  return {
    kind: 'map',
    members: Object.fromEntries(Object.keys(json as JsonObject).map((name, index) => [name, members[index] as Value])),
  }
}

async function evaluatedItems(items: readonly Json[], converting: Converting): Promise<readonly Value[]> {
  const values: Value[] = []
  for (const item of items) values.push(await evaluated(item, converting))
  return values
}

/** What a list holds, one by one, for a method that takes one at a time. */
async function toItems(word: InputWord, value: Value, converting: Converting): Promise<readonly Value[]> {
  if (word === 'document') return (await toDocuments(converting, value)).map((document) => ({ kind: 'document', document }))
  return (await toBlobs(converting, value)).map((blob) => ({ kind: 'blob', blob }))
}
