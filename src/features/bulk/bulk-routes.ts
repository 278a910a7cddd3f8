import { abortBulk, readBulk } from '../../core/bulk/bulk-commands.ts'
import { answerStatus } from '../../rest/bulk-status-entity.ts'
import type { Route } from '../../rest/route.ts'

const answers = { 200: 'bulkStatus', 404: 'there is no such command, or it is somebody else’s' }

const status: Route = {
  method: 'GET',
  path: '/bulk/{commandId}',
  under: 'api',
  summary: 'How far a bulk command has come',
  answers,
  handle: (exchange, { commandId = '' }) => exchange.read(async (session) => answerStatus(await readBulk(session, commandId))),
}

const abort: Route = {
  method: 'PUT',
  path: '/bulk/{commandId}/abort',
  under: 'api',
  summary: 'Give a bulk command up where it stands',
  answers,
  handle: (exchange, { commandId = '' }) => exchange.write(async (session) => answerStatus(await abortBulk(session, commandId))),
}

export const bulkRoutes: readonly Route[] = [status, abort]
