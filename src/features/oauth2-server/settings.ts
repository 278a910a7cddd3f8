import { defineSettings } from '../../settings/define-settings.ts'

export const oauth2ServerSettings = defineSettings({
  oauth2TokenLifetime: {
    type: 'duration',
    default: '60m',
    min: '1s',
    property: 'platform.oauth2.token.expiration.duration',
    help: 'How long a program that acts for a user may use an access token before it has to be refreshed',
  },
  oauth2ClientListPublic: {
    type: 'boolean',
    default: false,
    property: 'platform.oauth2.client.list.public',
    help: 'Let users who are no administrators see which programs are registered: their ids, names, and whether they are enabled',
  },
})
