import { setTimeout as wait } from 'node:timers/promises'
import { isOver } from '../../../core/bulk/bulk-command.ts'
import { type BulkStatus, type Repositories, readBulk, sessionOfBulk } from '../../../core/bulk/bulk-commands.ts'
import type { Session } from '../../../core/session.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import { callSettings } from '../settings.ts'
import { type AsyncExecution, readExecution } from './execution.ts'

/** How far a call has come. One that only started a bulk command is as far as that. */
export type Progress =
  | { readonly kind: 'running' }
  | { readonly kind: 'bulk'; readonly status: BulkStatus }
  | { readonly kind: 'over' }

export async function findProgress(session: Session, repositories: Repositories, { state }: AsyncExecution): Promise<Progress> {
  if (state.kind === 'running') return { kind: 'running' }
  if (state.kind !== 'done' || state.value.kind !== 'bulkStatus') return { kind: 'over' }
  const { commandId } = state.value
  const status = await readBulk(await sessionOfBulk(session, repositories, commandId), commandId)
  return isOver(status.progress) ? { kind: 'over' } : { kind: 'bulk', status }
}

// Of what another process does, there is no word.
const pollMillis = 100
/** Who follows a bulk command wants to see how it gets on. */
const bulkWaitMillis = 1_000

/**
 * How far it is, once it is over or the patience ends: some clients take the first answer for the last (contract: operations 1.11).
 * @throws executionNotFound
 */
export async function awaitEnd(exchange: Exchange, id: string): Promise<Progress> {
  const { automationAsyncStateWait: stateWaitMillis } = exchange.services.valuesOf(callSettings)
  const began = performance.now()
  for (;;) {
    const progress = await exchange.read(async (session) =>
      findProgress(session, exchange.services.repositories, await readExecution(session, id)),
    )
    if (progress.kind === 'over') return progress
    const patience = progress.kind === 'bulk' ? Math.min(bulkWaitMillis, stateWaitMillis) : stateWaitMillis
    const isStopping = exchange.repository.stopping.signal.aborted
    if (isStopping || performance.now() - began + pollMillis > patience) return progress
    await wait(pollMillis, undefined, { signal: exchange.request.signal })
  }
}
