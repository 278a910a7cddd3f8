import { defineSettings } from '../../settings/define-settings.ts'

/** Who is asked who a caller is (contract: security 2.1, 2.5), each also known by the property name that the contract gives it. */
export const signInSettings = defineSettings({
  authChain: {
    type: 'list',
    default: ['BASIC_AUTH', 'TOKEN_AUTH', 'OAUTH2_AUTH', 'JWT_AUTH', 'FORM_AUTH', 'ANONYMOUS_AUTH'],
    property: 'auth.chain',
    help: 'Authenticators in the order they are asked',
  },
  authChainAutomation: {
    type: 'list',
    default: ['AUTOMATION_BASIC_AUTH', 'TOKEN_AUTH', 'OAUTH2_AUTH', 'JWT_AUTH'],
    property: 'auth.chain.automation',
    help: 'The same for operations',
  },
  authChainRestapi: {
    type: 'list',
    default: ['AUTOMATION_BASIC_AUTH', 'TOKEN_AUTH', 'OAUTH2_AUTH', 'JWT_AUTH'],
    property: 'auth.chain.restapi',
    help: 'The same for the REST API',
  },
  loginThrottleEnabled: {
    type: 'boolean',
    default: true,
    property: 'platform.login.throttle.enabled',
    help: 'Make who guesses passwords wait, longer each time',
  },
  passwordUpgrade: {
    type: 'boolean',
    default: true,
    help: 'Store passwords of old formats as new ones are, when their users sign in',
  },
  restrictedMode: { type: 'boolean', default: false, help: 'Let in administrators alone' },
  productName: {
    type: 'string',
    default: 'Quire',
    property: 'org.platform.ecm.product.name',
    help: 'What the server is called on its pages',
  },
  startPage: {
    type: 'string',
    default: 'ui/',
    pattern: { matches: /^[\w.~-]+(?:\/[\w.~-]*)*$/, expected: 'a path below the base path, such as ui/' },
    help: 'The page at which people begin, and after sign-in and sign-out, below the base path',
  },
  startUrlPrefixes: {
    type: 'list',
    default: [
      'nxdoc/',
      'nxpath/',
      'nxfile/',
      'nxbigfile/',
      'nxbigblob/',
      'nxpdffile/',
      'nxeditfile/',
      'oauth2/authorize',
      'oauth2Grant.jsp',
      'oauthGrant.jsp',
      'acquire_token.jsp',
      'ui/',
    ],
    help: 'What paths begin with that a person is sent back to after sign-in, below the base path',
  },
  loginPage: {
    type: 'string',
    default: 'login.jsp',
    pattern: { matches: /^[\w.~-]+(?:\/[\w.~-]+)*$/, expected: 'a path below the base path, such as login.jsp' },
    help: 'The page at which people sign in, below the base path; another than login.jsp has to be served by a plugin',
  },
  loginUsernameKey: { type: 'string', default: 'user_name', help: 'The field of the sign-in form that has the name' },
  loginPasswordKey: { type: 'string', default: 'user_password', help: 'The field of the sign-in form that has the password' },
})
