import { stateOf } from '../../core/bulk/bulk-command.ts'
import type { BulkStatus } from '../../core/bulk/bulk-commands.ts'
import { type Answer, entity } from '../answer.ts'
import { type Static, Type } from '../openapi/schema.ts'

const moment = Type.Nullable(Type.Moment())

/** How far a bulk action has come. */
export const bulkStatusSchema = Type.Object(
  {
    'entity-type': Type.Literal('bulkStatus'),
    commandId: Type.String(),
    state: Type.Enum(['SCHEDULED', 'SCROLLING_RUNNING', 'RUNNING', 'COMPLETED', 'ABORTED']),
    processed: Type.Integer(),
    error: Type.Boolean(),
    errorCount: Type.Integer(),
    errorMessage: Type.Optional(Type.String()),
    total: Type.Integer({ description: 'Documents that were found' }),
    action: Type.String(),
    username: Type.String(),
    submitted: Type.Moment(),
    scrollStart: moment,
    scrollEnd: moment,
    processingStart: moment,
    processingEnd: moment,
    completed: moment,
    processingMillis: Type.Integer(),
    result: Type.Optional(Type.Map({ description: 'What was made of the documents, where the action makes something' })),
  },
  { $id: 'BulkStatus' },
)

export function writeBulkStatus({ command, progress }: BulkStatus): Static<typeof bulkStatusSchema> {
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
    ...(progress.result !== undefined && { result: progress.result }),
  }
}

export function answerStatus(status: BulkStatus, code = 200): Answer {
  return entity('bulkStatus', writeBulkStatus(status), code)
}
