import type { Tracer } from '../../base/tracing.ts'
import type { BackgroundTask } from '../../rest/services.ts'
import {
  type DeliverySource,
  type DeliveryTarget,
  isNamed,
  keepDelivering,
  type NetworkRules,
  networkRulesOf,
  outboxSettings,
} from '../outbox/index.ts'
import { listWebhooks, readerOf, webhookReaders } from './stored-webhooks.ts'
import type { Webhook } from './webhook.ts'
import { createWebhookTransport } from './webhook-transport.ts'

/** Sends webhooks what happens, for as long as the server runs. */
export function deliverToWebhooks(retryMilliseconds: number): BackgroundTask {
  return {
    name: 'deliverToWebhooks',
    run: (services, signal) => {
      const { notificationDeliveryLease: leaseMilliseconds } = services.valuesOf(outboxSettings)
      return keepDelivering(services, webhookSource(retryMilliseconds / 1_000), { leaseMilliseconds }, signal)
    },
  }
}

function webhookSource(retrySeconds: number): DeliverySource {
  return {
    prefix: webhookReaders,
    async list(services) {
      const [first] = services.repositories.values()
      if (first === undefined) return []
      const rules = networkRulesOf(services)
      const enabled = (await listWebhooks(first.home.store)).filter(({ isEnabled }) => isEnabled)
      return enabled.map((webhook) => webhookTarget(webhook, rules, { retrySeconds, tracer: services.tracer }))
    },
  }
}

interface TargetOptions {
  readonly retrySeconds: number
  readonly tracer: Tracer
}

export function webhookTarget(webhook: Webhook, rules: NetworkRules, { retrySeconds, tracer }: TargetOptions): DeliveryTarget {
  const { hostname } = new URL(webhook.url)
  const transport = createWebhookTransport(webhook, rules, tracer)
  return {
    reader: readerOf(webhook.id),
    address: hostname,
    version: String(webhook.revision),
    events: webhook.events,
    retrySeconds,
    isConcerned: async (event) => isNamed(webhook.events, event),
    send: transport.post,
    close: transport.close,
  }
}
