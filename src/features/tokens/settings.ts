import { defineSettings } from '../../settings/define-settings.ts'

export const tokenSettings = defineSettings({
  tokenSecret: {
    type: 'secret',
    help: 'What tokens are derived from, so that they can be told again and need not be stored; of several, separated by blanks, the first makes new ones. Without it the database keeps one',
  },
  tokenAllowAnonymous: {
    type: 'boolean',
    default: false,
    help: 'Let the anonymous user have tokens',
  },
})
