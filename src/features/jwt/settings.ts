import { defineSettings } from '../../settings/define-settings.ts'

export const jwtSettings = defineSettings({
  jwtSecret: {
    type: 'secret',
    default: '',
    property: 'platform.jwt.secret',
    help: 'What JSON web tokens of partners are signed with; without it none is valid',
  },
  jwtDefaultTtl: {
    type: 'duration',
    default: '3600s',
    bareUnit: 's',
    min: '1s',
    property: 'platform.jwt.defaultTTL',
    help: 'How long a token is valid that the server makes',
  },
})
