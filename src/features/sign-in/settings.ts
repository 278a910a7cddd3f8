import { defineSettings } from '../../settings/define-settings.ts'

/** Who is asked who a caller is (contract: security 2.1), each also known by the property name that the contract gives it. */
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
})
