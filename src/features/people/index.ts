import { definePlugin } from '../../plugin/define-plugin.ts'
import { peopleDirectories } from './directories.ts'
import { groupEntity } from './group-entity.ts'
import { peopleRoutes } from './routes.ts'
import { userEntity } from './user-entity.ts'

export { ensureFirstAdministrator } from './first-administrator.ts'

/** Users and groups: who exists, and who belongs where. */
export default definePlugin({
  name: 'people',
  directories: peopleDirectories,
  entityWriters: [userEntity, groupEntity],
  routes: peopleRoutes,
})
