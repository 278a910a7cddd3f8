import { stateOf } from '../../core/bulk/bulk-command.ts'
import type { BulkStatus } from '../../core/bulk/bulk-commands.ts'
import { type Answer, entity } from '../answer.ts'
import type { Entity } from './document-entity.ts'

/** `{"entity-type": "bulkStatus", "commandId": …, "state": "RUNNING", "processed": 50, …}`. */
export function writeBulkStatus({ command, progress }: BulkStatus): Entity {
  const { processed, errorCount, errorMessage, total } = progress
  const { scrollStart, scrollEnd, processingStart, processingEnd, completed, processingMillis } = progress
  return {
    'entity-type': 'bulkStatus',
    commandId: command.id,
    state: stateOf(progress),
    processed,
    error: errorCount > 0,
    errorCount,
    ...(errorMessage !== null && { errorMessage }),
    total,
    action: command.action,
    username: command.username,
    submitted: command.submitted,
    scrollStart,
    scrollEnd,
    processingStart,
    processingEnd,
    completed,
    processingMillis,
  }
}

export function answerStatus(status: BulkStatus, code = 200): Answer {
  return entity('bulkStatus', writeBulkStatus(status), code)
}
