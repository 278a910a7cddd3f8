import { definePlugin } from '../../plugin/define-plugin.ts'
import { createPortalAuthenticator } from './portal-authenticator.ts'
import { portalSettings } from './settings.ts'

/** A portal in front of the server vouches for its users. In no chain unless one is told to name it. */
export default definePlugin({
  name: 'portal-sign-in',
  settings: portalSettings,
  contribute: (values, services) => ({ authenticators: [createPortalAuthenticator(values, services)] }),
})
