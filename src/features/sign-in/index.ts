import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { type AdmissionRule, type AuthenticationChain, defaultChain } from '../../rest/authenticator.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { createBasicAuthenticators } from './basic-authenticator.ts'
import { createFormAuthenticator } from './form-authenticator.ts'
import { createGuessThrottle } from './passwords/guess-throttle.ts'
import { createLonelyThrottle } from './passwords/lonely-throttle.ts'
import { createPasswordCheck } from './passwords/password-check.ts'
import { createPasswordUpgrade } from './passwords/password-upgrade.ts'
import { createAdministeredSessionRoutes } from './sessions/administered-session-routes.ts'
import { createBrowserSessions, sessionSweep } from './sessions/session-keeper.ts'
import { createSessionRoutes } from './sessions/session-routes.ts'
import { sessionTables } from './sessions/session-table.ts'
import { signInSettings } from './settings.ts'
import { createSignInRoutes } from './sign-in-routes.ts'

export { createGuessThrottle } from './passwords/guess-throttle.ts'
export type { GuessThrottle } from './passwords/password-check.ts'
export { parseRequestedUrl, redirectTo } from './requested-url.ts'
export { signInSettings } from './settings.ts'
export { createWayBack } from './way-back.ts'

/** In the order in which they are tried: what both Automation and RestAPI match is Automation's (contract: security 2.1). */
function chainsOf(values: SettingValues<typeof signInSettings>): readonly AuthenticationChain[] {
  const setBy = (setting: 'authChain' | 'authChainAutomation' | 'authChainRestapi') => ({
    replacementChain: values[setting],
    setting,
  })
  return [
    { name: 'Automation', order: 100, path: '(.*)/automation.*', ...setBy('authChainAutomation') },
    { name: 'RestAPI', order: 110, path: '(.*)/api/v.*', ...setBy('authChainRestapi') },
    { name: 'TokenAuth', order: 120, header: 'x-authentication-token', replacementChain: ['TOKEN_AUTH'] },
    { name: defaultChain, order: 130, ...setBy('authChain') },
  ]
}

const administratorsOnly: AdmissionRule = { name: 'restrictedMode', admits: ({ isAdministrator }) => isAdministrator }

/** How people and programs tell who they are. */
export default definePlugin({
  name: 'sign-in',
  events: eventsOf('server', 'loginSuccess loginFailed logout'),
  settings: signInSettings,
  tables: sessionTables,
  contribute(values, services) {
    const vendored = () => services.facts.vendored
    const throttle = createGuessThrottle(
      () => services.directories.store,
      () => services.log,
    )
    const checkPassword = createPasswordCheck({
      throttle: values.loginThrottleEnabled ? throttle : undefined,
      beginAlone: createLonelyThrottle(),
      upgrade: values.passwordUpgrade ? createPasswordUpgrade(services) : async () => {},
    })
    const sessions = createBrowserSessions(services)
    return {
      authenticators: [
        ...createBasicAuthenticators(vendored, checkPassword),
        createFormAuthenticator({ values, vendored, checkPassword }),
      ],
      authenticationChains: chainsOf(values),
      admissionRules: values.restrictedMode ? [administratorsOnly] : [],
      sessionKeepers: [sessions],
      schedules: [sessionSweep(services)],
      routes: [...createSignInRoutes(values), ...createSessionRoutes(sessions), ...createAdministeredSessionRoutes(sessions)],
    }
  },
})
