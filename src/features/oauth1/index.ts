import { definePlugin } from '../../plugin/define-plugin.ts'
import { removeGrantsOfConsumers, removeGrantsOfRemoved } from './access-tokens.ts'
import { createOauth1Authenticator } from './oauth1-authenticator.ts'
import { oauth1Directories, oauth1Schemas } from './oauth1-model.ts'
import { oauth1Routes } from './oauth1-routes.ts'

/** Programs that sign their requests, as older ones do. In no chain unless one is told to name it. */
export default definePlugin({
  name: 'oauth1',
  requires: ['people', 'oauth2-server'],
  schemas: oauth1Schemas,
  directories: oauth1Directories,
  routes: oauth1Routes,
  serverListeners: [removeGrantsOfRemoved, removeGrantsOfConsumers],
  contribute: (_, services) => ({ authenticators: [createOauth1Authenticator(services)] }),
})
