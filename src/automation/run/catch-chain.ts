import { Problem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import type { CatchChain, Chain } from '../chain.ts'
import { isConditionMet } from '../expressions/evaluate-condition.ts'
import type { Value } from '../values/value.ts'
import { ChainExit } from './chain-exit.ts'
import type { OperationContext } from './context.ts'

interface CatchingRun {
  readonly session: Session
  contextFor(input: Value): OperationContext
}

interface Failure {
  readonly error: unknown
  readonly caught: CatchChain
}

/** Runs a chain, and what it declares for the case that it fails (contract: operations 1.12). */
export async function catching(
  run: CatchingRun,
  { catches = [] }: Chain,
  input: Value,
  body: () => Promise<Value>,
): Promise<Value> {
  if (catches.length === 0) return body()
  const context = run.contextFor(input)
  const undone: Failure[] = []
  try {
    return await context.attempt(async () => {
      try {
        return await body()
      } catch (error) {
        const failure = await findCatch(run, context, catches, error)
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
  run: CatchingRun,
  context: OperationContext,
  catches: readonly CatchChain[],
  error: unknown,
): Promise<Failure | undefined> {
  if (error instanceof ChainExit || context.budget.isSpent) return undefined
  const bindings = failureVariables(error)
  for (const caught of catches.toSorted((left, right) => (right.priority ?? 0) - (left.priority ?? 0))) {
    const isMeant =
      caught.filter === undefined || (await isConditionMet({ session: run.session, context }, caught.filter, bindings))
    if (isMeant) return { error, caught }
  }
  return undefined
}

async function runCatch(context: OperationContext, { error, caught }: Failure, input: Value): Promise<Value> {
  for (const [name, value] of failureVariables(error)) context.variables.set(name, value)
  return context.run(caught.chain, input, { isDeclared: true })
}

/** What expressions and the catch chain get to know of a failure. */
function failureVariables(error: unknown): ReadonlyMap<string, Value> {
  const { code, kind, message } = error instanceof Problem ? error : { code: 'defect', kind: 'failed', message: '' }
  const text = (written: string): Value => ({ kind: 'string', text: written })
  return new Map([
    ['Exception', text(code)],
    ['exceptionName', text(code)],
    ['exceptionObject', { kind: 'map', members: { name: text(code), kind: text(kind), message: text(message) } }],
  ])
}
