import { lockPolicy } from '../../core/security-policy.ts'
import { contentModel } from '../../model/builtin/content-model.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { lifecycleRoute } from './lifecycle-route.ts'
import { modelRoutes } from './routes.ts'

/** The document types, schemas, facets, lifecycles and rights that applications rely on, and the routes that describe them. */
export default definePlugin({
  name: 'content-model',
  ...contentModel,
  securityPolicies: [lockPolicy],
  routes: [...modelRoutes, lifecycleRoute],
})
