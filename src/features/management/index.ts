import { definePlugin } from '../../plugin/define-plugin.ts'
import { configurationRoute } from './configuration.ts'
import { distributionRoute } from './distribution.ts'
import { jobRoutes } from './job-routes.ts'

/** What whoever looks after a server asks it and has it do, beside what single features offer them (contract: security 12.2). */
export default definePlugin({
  name: 'management',
  routes: [distributionRoute, configurationRoute, ...jobRoutes],
})
