import { definePlugin } from '../../plugin/define-plugin.ts'
import { callbackRoutes } from './callback-routes.ts'
import { createCallbackStates } from './callback-state.ts'
import { oauth2ProviderDirectories, oauth2ProviderSchemas } from './oauth2-provider-model.ts'
import { providerRoutes, providerTokenRoutes } from './provider-routes.ts'
import { keepTokensWithServices } from './provider-tokens.ts'
import { oauth2ProviderSettings } from './settings.ts'

/** Other services in which this one acts for users. */
export default definePlugin({
  name: 'oauth2-providers',
  requires: ['oauth2-tokens'],
  schemas: oauth2ProviderSchemas,
  directories: oauth2ProviderDirectories,
  settings: oauth2ProviderSettings,
  routes: providerTokenRoutes,
  serverListeners: [keepTokensWithServices],
  contribute({ oauth2ProviderTimeout: millis, oauth2ProviderState: isOn }, services) {
    const states = createCallbackStates({ isOn }, services)
    return { routes: [...providerRoutes(states, { millis }), ...callbackRoutes(states, { millis })] }
  },
})
