import { definePlugin } from '../../plugin/define-plugin.ts'
import { webhookSettings } from './settings.ts'
import { webhookRoutes } from './webhook-routes.ts'
import { webhookTables } from './webhook-tables.ts'
import { deliverToWebhooks } from './webhook-targets.ts'

/** Events over HTTPS, signed, to whom administrators say: the outbox's second way out. */
export default definePlugin({
  name: 'webhooks',
  requires: ['outbox'],
  tables: webhookTables,
  settings: webhookSettings,
  contribute: ({ webhooks, webhookQuota, webhookRetryTime }) => ({
    routes: webhookRoutes(webhookQuota),
    backgroundTasks: webhooks ? [deliverToWebhooks(webhookRetryTime)] : [],
  }),
})
