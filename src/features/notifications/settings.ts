import { defineSettings } from '../../settings/define-settings.ts'

export const notificationSettings = defineSettings({
  notificationDigest: {
    type: 'duration',
    default: '0s',
    max: '31d',
    help: 'How long notifications are collected, to be told in one mail to each user: 1d for one a day; 0 tells of each at once',
  },
})
