import type { Route } from '../../rest/route.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { endpointRoutes } from './endpoint-routes.ts'
import { mounts } from './mount.ts'
import { operationRoutes } from './operation-routes.ts'
import type { notificationEndpointSettings } from './settings.ts'

/** The methods of notification endpoints and of the operations on them, at both mounts (contract: notification-endpoint 3). */
export function notificationEndpointRoutes(values: SettingValues<typeof notificationEndpointSettings>): readonly Route[] {
  const { notificationRegions: regions, notificationEndpointQuota: quota, notificationOperationTime } = values
  const rules = { quota, operationMilliseconds: notificationOperationTime }
  return mounts.flatMap((mount) => [...endpointRoutes(mount, regions, rules), ...operationRoutes(mount, regions)])
}
