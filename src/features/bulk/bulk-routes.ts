import { readBulk, sessionOfBulk } from '../../core/bulk/bulk-commands.ts'
import { abortAnywhere } from '../../rest/abort-bulk.ts'
import { answerStatus, bulkStatusSchema } from '../../rest/render/bulk-status-entity.ts'
import type { Route } from '../../rest/route.ts'

const answers = { 200: bulkStatusSchema, 404: 'there is no such command, or it is somebody else’s' }

const status: Route = {
  operationId: 'getBulkStatus',
  method: 'GET',
  path: '/bulk/{commandId}',
  under: 'api',
  summary: 'How far a bulk command has come',
  answers,
  handle: (exchange, { commandId = '' }) =>
    exchange.read(async (session) => {
      const there = await sessionOfBulk(session, exchange.services.repositories, commandId)
      return answerStatus(await readBulk(there, commandId))
    }),
}

const abort: Route = {
  operationId: 'abortBulk',
  method: 'PUT',
  path: '/bulk/{commandId}/abort',
  under: 'api',
  summary: 'Give a bulk command up where it stands',
  answers,
  handle: async (exchange, { commandId = '' }) => answerStatus(await abortAnywhere(exchange, commandId)),
}

export const bulkRoutes: readonly Route[] = [status, abort]
