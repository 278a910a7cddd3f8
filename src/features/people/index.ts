import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { createGuessThrottle, signInSettings } from '../sign-in/index.ts'
import { peopleCommands } from './commands.ts'
import { groupEntity } from './groups/group-entity.ts'
import { groupListings } from './groups/group-listings.ts'
import { groupGroupsAdapter, groupUsersAdapter } from './groups/group-members-adapters.ts'
import { groupRoot } from './groups/group-resource.ts'
import { groupRoutes } from './groups/group-routes.ts'
import { explanationRoute } from './membership/explanation-route.ts'
import { membershipRoutes } from './membership/membership-routes.ts'
import { peopleDirectories, peopleSchemas } from './people-model.ts'
import { removeRightsOfRemoved } from './removed-people.ts'
import { accountSettings } from './settings.ts'
import { defaultPasswordEnricher } from './users/default-password-enricher.ts'
import { createOwnAccountRoutes } from './users/own-account-routes.ts'
import { userEntity } from './users/user-entity.ts'
import { userListings } from './users/user-listings.ts'
import { userRoot } from './users/user-resource.ts'
import { userRoutes } from './users/user-routes.ts'

export { addMember, removeMember } from './membership/change-membership.ts'
export { emailPattern } from './people-model.ts'
export type { PeopleServices } from './people-services.ts'
export { createRefusal, editRefusal } from './refusals.ts'
export { createUser, type NewUser, prepareUser, requireCreation, userExists } from './users/create-user.ts'
export { passwordNotAllowed } from './users/new-password.ts'
export { parseUser, type SentUser, userBody } from './users/user-body.ts'
export type { UserChange } from './users/user-change.ts'
export { readUserSchema } from './users/user-directory.ts'
export { propertyTooLong } from './users/user-properties.ts'

import { exportGroups } from './operations/export-groups.ts'
import { getUser, queryUsers } from './operations/read-users.ts'
import { suggestPeople } from './operations/suggest-people.ts'
import { createOrUpdateGroup } from './operations/write-group.ts'
import { createOrUpdateUser } from './operations/write-user.ts'

export { searchGroups } from './groups/search-groups.ts'
export { searchUsers } from './users/search-users.ts'

/** Users and groups: who exists, and who belongs where. */
export default definePlugin({
  name: 'people',
  requires: ['sign-in'],
  commands: peopleCommands,
  events: eventsOf('server', 'user_created user_modified user_deleted group_created group_modified group_deleted nameReleased'),
  schemas: peopleSchemas,
  directories: peopleDirectories,
  entityWriters: [userEntity, groupEntity],
  enrichers: [defaultPasswordEnricher],
  pageProviders: [...userListings, ...groupListings],
  operations: [getUser, queryUsers, createOrUpdateUser, createOrUpdateGroup, suggestPeople, exportGroups],
  resources: [userRoot, groupRoot],
  settings: accountSettings,
  contribute(_, services) {
    const throttle = createGuessThrottle(
      () => services.directories.store,
      () => services.log,
    )
    const guesses = () => (services.valuesOf(signInSettings).loginThrottleEnabled ? throttle : undefined)
    return { jobs: [removeRightsOfRemoved(services)], routes: createOwnAccountRoutes(guesses) }
  },
  adapters: [groupUsersAdapter, groupGroupsAdapter],
  routes: [...userRoutes, ...groupRoutes, ...membershipRoutes, explanationRoute],
})
