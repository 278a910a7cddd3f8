import type { Route } from '../../rest/route.ts'
import { asyncRoutes } from './async/async-routes.ts'
import { batchRoutes } from './batch-routes.ts'
import { executeRoutes } from './execute-routes.ts'
import { filesRoute } from './files-route.ts'
import { registryRoutes } from './registry-routes.ts'

export const automationRoutes: readonly Route[] = [
  ...registryRoutes,
  ...executeRoutes,
  ...asyncRoutes,
  ...batchRoutes,
  filesRoute,
]
