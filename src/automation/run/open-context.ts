import type { Session } from '../../core/session.ts'
import { CallBudget } from '../budget.ts'
import type { OperationContext } from '../context.ts'
import { OutgoingCalls } from '../outgoing-calls.ts'
import { nothing, type Value } from '../values/value.ts'
import { type CallEnvironment, Run } from './state.ts'
import { contextOf } from './steps.ts'

/**
 * A context in an open session for code that runs chains and evaluates expressions by itself, such as a workflow: whoever calls that code
 * neither sees its variables nor sets them.
 */
export function openContext(
  environment: CallEnvironment,
  session: Session,
  variables: Iterable<readonly [string, Value]> = [],
): OperationContext {
  const budget = environment.budget ?? new CallBudget(environment.services.automation.limits)
  const outgoing = new OutgoingCalls()
  const shared = { budget, outgoing: () => outgoing }
  const run = Run.begin(environment, session, shared, variables, { callParameters: new Map(), isAlone: false })
  return contextOf(run, nothing)
}
