import type { Access } from '../../core/access.ts'
import type { OperationRegistry } from '../registry.ts'
import type { CallBudget } from './budget.ts'
import type { OperationHost, OperationServices } from './context.ts'

/** The way into the repository, and what the request brings beside its words. */
export interface RunSurroundings {
  readonly operations: OperationRegistry
  readonly services: OperationServices
  readonly host: OperationHost
  readonly access: Access
  /** Of several calls in one transaction; each has its own when absent. */
  readonly budget?: CallBudget
}
