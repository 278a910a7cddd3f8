import { definePlugin } from '../../plugin/define-plugin.ts'
import { analyticsRoutes } from './analytics-routes.ts'
import { analyticsSettings } from './settings.ts'

/** Figures about documents and about what happened, for pages that ask a search engine for them. */
export default definePlugin({
  name: 'analytics',
  requires: ['audit', 'workflow'],
  settings: analyticsSettings,
  contribute: ({ analyticsMaxRows }) => ({ routes: analyticsRoutes(analyticsMaxRows) }),
})
