import { defineRoute, type Route } from '../../rest/route.ts'
import { asyncRoutes } from './async/async-routes.ts'
import { batchRoutes } from './batch-routes.ts'
import { callDescription } from './call-description.ts'
import { execute, readCallable } from './execute.ts'
import { filesRoute } from './files-route.ts'
import { registryRoutes } from './registry-routes.ts'
import { readSentCall } from './sent-call.ts'

const executeRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/automation/{id}',
    operationId: 'callOperation',
    under: 'api',
    summary: 'Run an operation or a chain',
    ...callDescription,
    async handle(exchange, { id = '' }, sent) {
      const callable = readCallable(exchange, id)
      return execute(exchange, { id, callable, call: await readSentCall(exchange, sent) })
    },
  }),
]

export const automationRoutes: readonly Route[] = [
  ...registryRoutes,
  ...executeRoutes,
  ...asyncRoutes,
  ...batchRoutes,
  filesRoute,
]
