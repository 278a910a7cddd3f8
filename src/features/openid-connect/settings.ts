import { defineSettings } from '../../settings/define-settings.ts'

/** At which identity providers people may sign in. */
export const openIdConnectSettings = defineSettings({
  openidProviders: {
    type: 'json',
    property: 'platform.openid.connect.providers',
    help: 'Identity providers at which people sign in, by name: issuer, clientId and more',
  },
  openidClientSecrets: {
    type: 'secret',
    help: 'Secrets by which these providers know the server, as JSON: {"company": "…"}',
  },
  openidTimeout: {
    type: 'duration',
    default: '10s',
    bareUnit: 's',
    min: '100ms',
    max: '60s',
    help: 'Time that a provider is given for each of its answers',
  },
})
