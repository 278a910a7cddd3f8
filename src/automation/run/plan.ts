import type { Json } from '../../base/json.ts'
import type { Chain } from '../chain.ts'
import type { Effect, Operation } from '../operation.ts'
import type { Callable, OperationRegistry } from '../registry.ts'
import { type FlowKind, flowKinds, kindAfter, suitableMethods } from './method-choice.ts'
import { noOrigins, type Origins, originOfStep } from './origin.ts'

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

const plansByRegistry = new WeakMap<OperationRegistry, WeakMap<Operation | Chain, Plan>>()

/** Made once for each operation and chain. @throws operationNotFound */
export function planOf(registry: OperationRegistry, callable: Callable): Plan {
  const plans = plansByRegistry.get(registry) ?? new WeakMap()
  plansByRegistry.set(registry, plans)
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

/** What a step asks of its surroundings. */
export function effectOf(registry: OperationRegistry, step: Step): Effect {
  if (step.kind === 'operation') return step.operation.effect
  const { catches = [] } = step.chain
  const caught = catches.map(({ chain }) => effectOf(registry, planOf(registry, registry.read(chain)).root))
  const effects = new Set([...step.steps.map((inner) => effectOf(registry, inner)), ...caught])
  // What is to be undone when something fails has to be in a transaction.
  if (effects.has('writes') || (catches.length > 0 && effects.has('waits'))) return 'writes'
  return effects.has('waits') ? 'waits' : 'reads'
}
