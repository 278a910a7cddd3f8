import { definePlugin } from '../../plugin/define-plugin.ts'
import { serverCapabilities } from './capabilities.ts'
import { hotReload, readCounters } from './operations.ts'
import { statusRoutes } from './routes.ts'

/** What monitoring and connecting clients ask first: is it up, what can it do, which version is it. */
export default definePlugin({
  name: 'server-status',
  operations: [readCounters, hotReload],
  capabilities: serverCapabilities,
  routes: statusRoutes,
})
