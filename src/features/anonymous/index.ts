import { definePlugin } from '../../plugin/define-plugin.ts'
import { createAnonymousAuthenticator } from './anonymous-authenticator.ts'

/** Somebody without credentials is the anonymous user, where there is one. */
export default definePlugin({
  name: 'anonymous',
  contribute: (_, services) => ({ authenticators: [createAnonymousAuthenticator(services)] }),
})
