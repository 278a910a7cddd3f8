import { defineSettings } from '../../settings/define-settings.ts'

export const portalSettings = defineSettings({
  portalSecret: {
    type: 'secret',
    help: 'What a portal proves with that it vouches for a user; needed where a chain names PORTAL_AUTH',
  },
  portalMaxAge: {
    type: 'duration',
    default: '3600s',
    bareUnit: 's',
    min: '1s',
    help: 'How long ago a portal may have vouched for a user',
  },
  portalDigestAlgorithm: {
    type: 'choice',
    choices: ['MD5', 'SHA', 'SHA-256', 'SHA-512'],
    default: 'MD5',
    help: 'The digest that the portal uses; SHA-256 wherever it can',
  },
  portalAllowsReplay: {
    type: 'boolean',
    default: false,
    help: 'Take the same proof of a portal more than once, for portals that send it with several requests',
  },
})
