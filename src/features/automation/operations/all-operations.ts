import type { Operation } from '../../../automation/operation.ts'
import { getActions } from './actions.ts'
import { contextStackOperations } from './context-stacks.ts'
import { contextVariableOperations } from './context-variables.ts'
import { diagnosticOperations } from './diagnostics.ts'
import { executionFlowOperations } from './execution-flow.ts'
import { loginOperations } from './login.ts'
import { fireEvent, log } from './notification.ts'
import { scriptingOperations } from './scripting.ts'

/** What chains are built with. */
export const automationOperations: readonly Operation[] = [
  log,
  fireEvent,
  ...contextVariableOperations,
  ...contextStackOperations,
  ...executionFlowOperations,
  ...scriptingOperations,
  ...loginOperations,
  ...diagnosticOperations,
  getActions,
]
