import { defineSettings } from '../../settings/define-settings.ts'

export const oauth2ProviderSettings = defineSettings({
  oauth2ProviderTimeout: {
    type: 'duration',
    default: '10s',
    min: '100ms',
    max: '60s',
    help: 'How long a service in which the server acts for users may take to give or refresh a token',
  },
  oauth2ProviderState: {
    type: 'boolean',
    default: false,
    property: 'platform.oauth2.provider.state.enabled',
    help: 'Send services a state that only the user who asked can bring back, and refuse answers without it',
  },
})
