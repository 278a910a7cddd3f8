import { isoDate } from '../../../base/iso-date.ts'
import { defineProblem } from '../../../base/problem.ts'
import { typedName } from '../../../base/typed-name.ts'
import type { NotedRights } from '../../../core/noted-rights.ts'
import type { Session } from '../../../core/session.ts'
import { isOwn } from '../../../model/rights/principal.ts'
import type { ErrorEntity } from '../../../rest/render/exception-entity.ts'
import type { TransientReader, TransientWriter } from '../../../store/transient.ts'
import type { StoredValue } from './stored-value.ts'

/** An asynchronous call, from when it was asked for until its result has expired. */
export interface AsyncExecution {
  readonly id: string
  readonly username: string
  /** When it was asked for; absent from what an older program stored. */
  readonly asked?: string
  readonly state: ExecutionState
}

export type ExecutionState =
  | { readonly kind: 'running' }
  | {
      readonly kind: 'done'
      readonly value: StoredValue
      /** As the operation chose it; null for the usual one. */
      readonly status: number | null
      readonly isRead: boolean
      /** What the caller was granted for it. */
      readonly rights?: NotedRights
    }
  | { readonly kind: 'failed'; readonly error: ErrorEntity; readonly isRead: boolean }

export type FinalState = Exclude<ExecutionState, { kind: 'running' }>

export const executionNotFound = defineProblem(
  'executionNotFound',
  'notFound',
  (of: { id: string }) => `Execution with id=${of.id} not found`,
)

// Longer than any call takes.
const runningMillis = 7 * 86_400_000

const keyOf = (id: string) => typedName<AsyncExecution>(`async/${id}`)

export function addExecution(transient: TransientWriter, execution: AsyncExecution, now: string): Promise<void> {
  return store(transient, execution, now, runningMillis)
}

/** Keeps how it ended for that long. */
export function endExecution(
  transient: TransientWriter,
  execution: AsyncExecution,
  state: FinalState,
  now: string,
  millis: number,
): Promise<void> {
  return store(transient, { ...execution, state }, now, millis)
}

function store(transient: TransientWriter, execution: AsyncExecution, now: string, millis: number): Promise<void> {
  return transient.set(keyOf(execution.id), execution, isoDate(new Date(Date.parse(now) + millis)))
}

export function findExecution(transient: TransientReader, id: string, now: string): Promise<AsyncExecution | undefined> {
  return transient.find(keyOf(id), now)
}

/** @throws executionNotFound, also to users who did not ask for it, but for administrators */
export async function readExecution({ reader, principal, repository }: Session, id: string): Promise<AsyncExecution> {
  // Not the time of the session, which may have begun long before the end.
  const execution = await findExecution(reader.transient, id, repository.now())
  if (execution === undefined) throw executionNotFound({ id })
  if (!principal.isAdministrator && !isOwn(principal, execution.username, execution.asked)) throw executionNotFound({ id })
  return execution
}
