import type { Repository, Session, WriteSession } from '../../core/session.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { OperationRegistry } from '../registry.ts'
import type { CallBudget } from './budget.ts'
import type { OperationHost, OperationServices } from './context.ts'

/** The two ways to look at the repository, and what the request brings beside its words. */
export interface RunSurroundings {
  readonly operations: OperationRegistry
  readonly services: OperationServices
  readonly host: OperationHost
  readonly repository: Repository
  readonly principal: Principal
  /** Of several calls in one transaction; each has its own when absent. */
  readonly budget?: CallBudget
  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result>
  write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result>
}
