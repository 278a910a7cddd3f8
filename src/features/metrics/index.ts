import { definePlugin } from '../../plugin/define-plugin.ts'
import { figuresRoute, metricsRoute } from './metrics-route.ts'
import { processMetrics } from './server-metrics.ts'
import { metricsSettings } from './settings.ts'

/** What the server counts, for programs that watch it. */
export default definePlugin({
  name: 'metrics',
  requires: ['server-status'],
  settings: metricsSettings,
  routes: [figuresRoute],
  contribute: ({ metricsLoopback, metricsKey }) => ({
    routes: [metricsRoute({ isOpenToLoopback: metricsLoopback, key: metricsKey })],
    backgroundTasks: [
      {
        name: 'processMetrics',
        async run({ metrics }) {
          metrics.add(processMetrics())
        },
      },
    ],
  }),
})
