import { memoised } from '../../base/cache/memo.ts'
import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Chain } from '../chain.ts'
import { noOrigins, type Origin, type Origins } from '../context.ts'
import { hasExpressions } from '../expressions/evaluate-template.ts'
import { asksForNumber, callsOut } from '../expressions/functions.ts'
import type { Effect, Operation, OperationMethod } from '../operation.ts'
import type { Callable, OperationRegistry } from '../registry.ts'
import { isOneReference } from '../values/convert-value.ts'
import { type Value, wordOf } from '../values/value.ts'
import type { InputWord, OutputWord } from '../values/words.ts'

/** What is known of a value before it is there: a text may name several documents; `any` when only running can tell. */
export type FlowKind = (typeof flowKinds)[number]

export const flowKinds = [
  'nothing',
  'document',
  'documents',
  'blob',
  'blobs',
  'string',
  'boolean',
  'number',
  'date',
  'list',
  'map',
  'entity',
  'users',
  'rows',
  'bulkStatus',
  'references',
  'any',
] as const satisfies readonly (Value['kind'] | 'references' | 'any')[]

/** Of a value that is there. */
function flowKindOf(value: Value): FlowKind {
  if (value.kind !== 'string' || value.text.trim() === '' || isOneReference(value.text)) return value.kind
  return 'references'
}

/** How well a method suits an input, best first. */
const ranks = { exact: 0, itemwise: 1, convertible: 2, onlyItem: 3, ignored: 4 } as const
type Rank = (typeof ranks)[keyof typeof ranks]

const exactKind: { readonly [Word in InputWord]: Value['kind'] | undefined } = {
  void: 'nothing',
  document: 'document',
  documents: 'documents',
  paginable: undefined,
  blob: 'blob',
  bloblist: 'blobs',
  string: 'string',
  platformprincipal: 'entity',
  businessadapter: 'entity',
  object: undefined,
}

const convertibleKinds: { readonly [Word in InputWord]: readonly Value['kind'][] | 'all' } = {
  void: [],
  document: ['string', 'documents', 'list', 'entity'],
  documents: ['document', 'string', 'list', 'entity'],
  paginable: ['documents'],
  blob: ['blobs', 'list', 'map'],
  bloblist: ['blob', 'list', 'map'],
  string: ['number', 'boolean', 'date'],
  platformprincipal: ['map'],
  businessadapter: [],
  object: 'all',
}

const listsOf = { document: 'documents', blob: 'blobs' } as const

/** The methods that can take a value of the kind, those that suit it best first; equals stay in the order of the definition. */
export function suitableMethods(methods: readonly OperationMethod[], kind: FlowKind): readonly OperationMethod[] {
  const byKind = suitableByKind(methods)
  const chosen = byKind.get(kind) ?? chooseSuitable(methods, kind)
  byKind.set(kind, chosen)
  return chosen
}

// The methods of an operation never change, and every step of every call asks.
const suitableByKind = memoised((_: readonly OperationMethod[]) => new Map<FlowKind, readonly OperationMethod[]>())

function chooseSuitable(methods: readonly OperationMethod[], kind: FlowKind): readonly OperationMethod[] {
  return methods
    .map((method) => ({ method, rank: rankOf(method, kind) }))
    .filter((one): one is { method: OperationMethod; rank: Rank } => one.rank !== undefined)
    .sort((left, right) => left.rank - right.rank)
    .map(({ method }) => method)
}

function rankOf(method: OperationMethod, kind: FlowKind): Rank | undefined {
  const { input, isItemwise } = method
  if (kind === 'any') return input === 'void' ? ranks.ignored : ranks.convertible
  if (kind === 'references') return rankOf(method, 'string')
  if (exactKind[input] === kind) return ranks.exact
  if (isItemwise && listsOf[input as keyof typeof listsOf] === kind) return ranks.itemwise
  // Several things that were sent are rather a list than the one thing that some of them could be.
  if (kind === 'list' && (isItemwise || input === 'documents' || input === 'bloblist')) return ranks.itemwise
  if (convertibleKinds[input] === 'all' || convertibleKinds[input].includes(kind)) {
    return isList(kind) && isItem(input) && !isItemwise ? ranks.onlyItem : ranks.convertible
  }
  return input === 'void' ? ranks.ignored : undefined
}

function isList(kind: FlowKind): boolean {
  return kind === 'list' || kind === 'documents' || kind === 'blobs'
}

/** Takes a list only if that has just one item. */
function isItem(input: InputWord): boolean {
  return input === 'document' || input === 'blob'
}

/** Whether the method runs once for each item of such a value. */
export function runsForEach(method: OperationMethod, value: Value): boolean {
  return isManyFor(method, flowKindOf(value))
}

function isManyFor({ input, isItemwise }: OperationMethod, kind: FlowKind): boolean {
  if (!isItemwise) return false
  return kind === 'list' || kind === listsOf[input as keyof typeof listsOf] || (kind === 'references' && input === 'document')
}

const outputKinds: { readonly [Word in Exclude<OutputWord, 'void'>]: FlowKind } = {
  document: 'document',
  documents: 'documents',
  paginable: 'documents',
  blob: 'blob',
  bloblist: 'blobs',
  string: 'string',
  boolean: 'boolean',
  long: 'number',
  integer: 'number',
  date: 'date',
  list: 'list',
  map: 'map',
  recordset: 'rows',
  bulkstatus: 'bulkStatus',
  businessadapter: 'entity',
  object: 'any',
}

/** What a method gives for a value of the kind. */
export function kindAfter(method: OperationMethod, kind: FlowKind): FlowKind {
  const { input, output } = method
  if (output === 'void') return input === 'void' ? kind : 'nothing'
  const single = outputKinds[output]
  if (!isManyFor(method, kind)) return single
  if (single === 'document') return 'documents'
  if (single === 'blob') return 'blobs'
  return single === 'string' ? 'list' : single
}

export type StepParameters = { readonly [name: string]: Json }

/** Of an operation that is called by itself. */
export const noParameters: StepParameters = {}

export interface OperationStep {
  readonly kind: 'operation'
  readonly operation: Operation
  readonly params: StepParameters
  /** Of the parameters. */
  readonly origins: Origins
  /** A deployed chain has it among its steps; otherwise it is what was called. */
  readonly isDeclared: boolean
  /** Its place among all operations of the call, those of inner chains included. */
  readonly position: number
}

export interface InnerChain {
  readonly kind: 'chain'
  readonly chain: Chain
  readonly params: StepParameters
  readonly origins: Origins
  readonly isDeclared: boolean
  readonly steps: readonly Step[]
}

export type Step = OperationStep | InnerChain

/** All that is known of a call before it runs. */
export interface Plan {
  readonly root: Step
  readonly operations: readonly Operation[]
  /** Whether the operations from the place on can run, one after the other, on a value of the kind. */
  leadsOn(position: number, kind: FlowKind): boolean
}

const plansOf = memoised((_: OperationRegistry) => new WeakMap<Operation | Chain, Plan>())

/** Made once for each operation and chain. @throws operationNotFound */
export function planOf(registry: OperationRegistry, callable: Callable): Plan {
  const plans = plansOf(registry)
  const called = callable.kind === 'operation' ? callable.operation : callable.chain
  const plan = plans.get(called) ?? createPlan(registry, callable)
  plans.set(called, plan)
  return plan
}

function createPlan(registry: OperationRegistry, callable: Callable): Plan {
  const operations: Operation[] = []
  const stepOf = (called: Callable, params: StepParameters, isDeclared: boolean): Step => {
    const told = { params, origins: originsOf(params), isDeclared }
    if (called.kind === 'operation') {
      return { kind: 'operation', operation: called.operation, ...told, position: operations.push(called.operation) - 1 }
    }
    const { chain } = called
    const steps = chain.steps.map((step) => stepOf(registry.read(step.operation), step.params ?? noParameters, true))
    return { kind: 'chain', chain, ...told, steps }
  }
  const root = stepOf(callable, noParameters, false)
  const kinds = kindsTaken(operations)
  return { root, operations, leadsOn: (position, kind) => kinds[position]?.has(kind) ?? true }
}

function originsOf(params: StepParameters): Origins {
  if (params === noParameters) return noOrigins
  return new Map(Object.entries(params).map(([name, json]) => [name, originOfStep(json)]))
}

/** Of what a chain tells a step. */
function originOfStep(json: Json): Origin {
  return hasExpressions(json) ? 'opened' : 'declared'
}

/** For each operation the kinds of values on which it and all after it can run, found from the end. */
function kindsTaken(operations: readonly Operation[]): readonly ReadonlySet<FlowKind>[] {
  const taken: ReadonlySet<FlowKind>[] = []
  let after: ReadonlySet<FlowKind> = new Set(flowKinds)
  for (const { methods } of operations.toReversed()) {
    const goesOn = (kind: FlowKind) => suitableMethods(methods, kind).some((method) => after.has(kindAfter(method, kind)))
    after = new Set(flowKinds.filter(goesOn))
    taken.unshift(after)
  }
  return taken
}

/** What a step needs of its environment. What was sent with the call every step of it sees. */
export function effectOf(registry: OperationRegistry, step: Step, sent: StepParameters = noParameters): Effect {
  if (asksForNumber(step.params)) return 'writes'
  const effect = effectInside(registry, step, sent)
  return effect === 'reads' && callsOut(step.params) ? 'waits' : effect
}

function effectInside(registry: OperationRegistry, step: Step, sent: StepParameters): Effect {
  if (step.kind === 'operation') {
    const { effect, waitsFor } = step.operation
    return waitsFor?.({ ...sent, ...step.params }) ? 'waits' : effect
  }
  const { catches = [] } = step.chain
  const caught = catches.map(({ chain }) => effectOf(registry, planOf(registry, registry.read(chain)).root, sent))
  const effects = new Set([...step.steps.map((inner) => effectOf(registry, inner, sent)), ...caught])
  // What is to be undone when something fails has to be in a transaction.
  if (effects.has('writes') || (catches.length > 0 && effects.has('waits'))) return 'writes'
  return effects.has('waits') ? 'waits' : 'reads'
}

export const noMethodForInput = defineProblem(
  'noMethodForInput',
  'invalid',
  (of: { operation: string; type: string }) =>
    `Cannot find any valid path in operation chain - no method found for operation '${of.operation}' and for first input type '${of.type}'`,
)

/** @throws noMethodForInput when the call cannot run on such a value, before any of it has run */
export function requirePath({ operations: [first], leadsOn }: Plan, value: Value): void {
  if (first !== undefined && !leadsOn(0, flowKindOf(value))) throw noMethodForInput({ operation: first.id, type: wordOf(value) })
}

/** The method that suits the value best of those after which the other steps can still run. @throws noMethodForInput */
export function chooseMethod({ leadsOn }: Plan, { operation, position }: OperationStep, value: Value): OperationMethod {
  const kind = flowKindOf(value)
  const ways = suitableMethods(operation.methods, kind).filter((one) => leadsOn(position + 1, kindAfter(one, kind)))
  // Where none can take it after all, the best one says why.
  const method = ways.find((one) => canTake(one, value) && !isLessApt(one, ways, value)) ?? ways[0]
  if (method === undefined) throw noMethodForInput({ operation: operation.id, type: wordOf(value) })
  return method
}

/** Whether what was sent can be made to what the method takes, as far as its length tells: a kind alone does not. */
function canTake(method: OperationMethod, value: Value): boolean {
  if (method.input === 'paginable') return value.kind === 'documents' && value.found !== undefined
  return !isItem(method.input) || runsForEach(method, value) || (findLength(value) ?? 1) === 1
}

function findLength(value: Value): number | undefined {
  switch (value.kind) {
    case 'list':
      return value.items.length
    case 'documents':
      return value.documents.length
    case 'blobs':
      return value.blobs.length
    default:
      return undefined
  }
}

/** A text can name a document or several; where an operation takes both, it says itself which of them it is. */
function isLessApt({ input }: OperationMethod, ways: readonly OperationMethod[], value: Value): boolean {
  if (value.kind !== 'string' || value.text.trim() === '' || (input !== 'document' && input !== 'documents')) return false
  const apt = flowKindOf(value) === 'references' ? 'documents' : 'document'
  return input !== apt && ways.some((other) => other.input === apt)
}

/** Whether an expression of the chain says something else of each value. */
export function hasOpened({ origins }: OperationStep): boolean {
  return origins.values().some((origin) => origin === 'opened')
}
