import { definePlugin } from '../../plugin/define-plugin.ts'
import { createJwtAuthenticator } from './jwt-authenticator.ts'
import { jwtSettings } from './settings.ts'

/** @public For those who take a JSON web token elsewhere than in a request to a resource. */
export { findJwtUser, issueJwt, type WantedJwt } from './jwt-service.ts'

/** JSON web tokens: programs of partners act for users, without the server having to know each of them. */
export default definePlugin({
  name: 'jwt',
  settings: jwtSettings,
  contribute: (_, services) => ({ authenticators: [createJwtAuthenticator(services)] }),
})
