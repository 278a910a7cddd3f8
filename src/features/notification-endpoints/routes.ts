import type { Route } from '../../rest/route.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { statusRoute } from './delivery/status-route.ts'
import type { EndpointSubscription } from './delivery/subscriptions.ts'
import { endpointRoutes } from './endpoint-routes.ts'
import { mounts } from './mount.ts'
import { operationRoutes } from './operation-routes.ts'
import type { notificationEndpointSettings } from './settings.ts'

/** The methods of notification endpoints and of the operations on them, at both mounts (contract: notification-endpoint 3). */
export function notificationEndpointRoutes(
  values: SettingValues<typeof notificationEndpointSettings>,
  subscriptions: readonly EndpointSubscription[],
): readonly Route[] {
  const { notificationRegions: regions, notificationEndpointQuota: quota, notificationOperationTime } = values
  const rules = { quota, operationMilliseconds: notificationOperationTime, subscriptions }
  return mounts.flatMap((mount) => [
    ...endpointRoutes(mount, regions, rules),
    statusRoute(mount, regions, subscriptions),
    ...operationRoutes(mount, regions),
  ])
}
