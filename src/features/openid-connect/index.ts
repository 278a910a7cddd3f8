import { definePlugin } from '../../plugin/define-plugin.ts'
import { createOpenIdConnect } from './provider-routes.ts'
import { parseProviders } from './providers.ts'
import { openIdConnectSettings } from './settings.ts'

/** People sign in at the identity provider of their company. Without any provider there is nothing of it. */
export default definePlugin({
  name: 'openid-connect',
  requires: ['people', 'sign-in'],
  settings: openIdConnectSettings,
  contribute(values, services) {
    const providers = parseProviders(values)
    if (providers.length === 0) return {}
    const { routes, links } = createOpenIdConnect(providers, values.openidTimeout, services)
    return { routes, signInLinks: links }
  },
})
