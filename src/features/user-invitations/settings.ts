import { defineSettings } from '../../settings/define-settings.ts'

export const invitationSettings = defineSettings({
  userInvitationTtl: {
    type: 'duration',
    default: '7d',
    help: 'How long somebody who was invited may take to choose a password',
  },
})
