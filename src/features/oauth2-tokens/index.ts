import { definePlugin } from '../../plugin/define-plugin.ts'
import { grantRoutes } from './grant-routes.ts'
import { oauth2TokenDirectories, oauth2TokenSchemas } from './oauth2-token-model.ts'
import { allTokensRoute } from './stored-token-routes.ts'
import { forgetTokensOfRemoved } from './stored-tokens.ts'

export { oauth2Refused, requireAdministrator } from './oauth2-rights.ts'
export { requireEntityType } from './stored-token-entity.ts'
export { newestFirst, ownTokensRoute, type TokenSource, tokenRoutesOf } from './stored-token-routes.ts'
export {
  addToken,
  changeToken,
  findTokens,
  forgetTokens,
  listenToRevocations,
  removeToken,
  type StoredToken,
  splitNames,
} from './stored-tokens.ts'

/** What users agreed with services that the server calls for them, and with programs that call the server for them. */
export default definePlugin({
  name: 'oauth2-tokens',
  requires: ['people'],
  schemas: oauth2TokenSchemas,
  directories: oauth2TokenDirectories,
  routes: [allTokensRoute, ...grantRoutes],
  serverListeners: [forgetTokensOfRemoved],
})
