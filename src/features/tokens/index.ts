import { definePlugin } from '../../plugin/define-plugin.ts'
import { administeredTokenRoutes } from './administered-token-routes.ts'
import { tokenCommands } from './commands.ts'
import { removeTokensOfRemoved } from './removed-users.ts'
import { tokenSettings } from './settings.ts'
import { createTokenAuthenticator } from './token-authenticator.ts'
import { tokenDirectories, tokenSchemas } from './token-model.ts'
import { tokenRoutes } from './token-routes.ts'

export { acquireToken, type WantedToken } from './token-bindings.ts'

/** Tokens by which programs sign in for a user. */
export default definePlugin({
  name: 'tokens',
  requires: ['people'],
  commands: tokenCommands,
  settings: tokenSettings,
  schemas: tokenSchemas,
  directories: tokenDirectories,
  routes: administeredTokenRoutes,
  serverListeners: [removeTokensOfRemoved],
  contribute: ({ tokenAllowAnonymous: allowsAnonymous }, services) => ({
    routes: tokenRoutes({ allowsAnonymous }),
    authenticators: [createTokenAuthenticator({ allowsAnonymous }, services)],
  }),
})
