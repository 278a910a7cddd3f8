import { definePlugin } from '../../plugin/define-plugin.ts'
import { peopleDirectories } from './directories.ts'
import { groupEntity } from './group-entity.ts'
import { groupGroupsAdapter, groupUsersAdapter } from './group-members-adapters.ts'
import { groupRoot } from './group-resource.ts'
import { groupRoutes } from './group-routes.ts'
import { membershipRoutes } from './membership-routes.ts'
import { ownAccountRoutes } from './own-account-routes.ts'
import { userEntity } from './user-entity.ts'
import { userRoot } from './user-resource.ts'
import { userRoutes } from './user-routes.ts'

export { ensureFirstAdministrator } from './first-administrator.ts'

/** Users and groups: who exists, and who belongs where. */
export default definePlugin({
  name: 'people',
  directories: peopleDirectories,
  entityWriters: [userEntity, groupEntity],
  resources: [userRoot, groupRoot],
  adapters: [groupUsersAdapter, groupGroupsAdapter],
  routes: [...ownAccountRoutes, ...userRoutes, ...groupRoutes, ...membershipRoutes],
})
