import { definePlugin } from '../../plugin/define-plugin.ts'
import { voidCodesOfRevoked } from './authorization-codes.ts'
import { authorizeRoutes } from './authorize-routes.ts'
import { createBearerAuthenticator } from './bearer-authenticator.ts'
import { clientRoutes, clientTokenRoutes } from './client-routes.ts'
import { forgetGrantsOfRemoved } from './clients.ts'
import { oauth2ClientDirectories, oauth2ClientSchemas } from './oauth2-server-model.ts'
import { oauth2ServerSettings } from './settings.ts'
import { tokenRoutes } from './token-route.ts'

export { isKnownByCookie } from './authorize-routes.ts'
export { consentPage, errorPage, languageOf } from './oauth2-pages.ts'
export { withParameters } from './redirect-uri.ts'

/** Programs that act for users with their consent. */
export default definePlugin({
  name: 'oauth2-server',
  requires: ['oauth2-tokens', 'jwt'],
  schemas: oauth2ClientSchemas,
  directories: oauth2ClientDirectories,
  settings: oauth2ServerSettings,
  routes: [...authorizeRoutes, ...clientTokenRoutes],
  serverListeners: [forgetGrantsOfRemoved, voidCodesOfRevoked],
  contribute: ({ oauth2TokenLifetime: lifetimeMillis, oauth2ClientListPublic: isListPublic }, services) => ({
    routes: [...tokenRoutes({ lifetimeMillis }), ...clientRoutes({ isListPublic })],
    authenticators: [createBearerAuthenticator(services)],
  }),
})
