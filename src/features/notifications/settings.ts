import { defineSettings } from '../../settings/define-settings.ts'

export const notificationSettings = defineSettings({
  commentAutoSubscribe: {
    type: 'boolean',
    default: true,
    property: 'org.platform.ecm.platform.comment.service.notification.autosubscribe',
    help: 'Subscribe the author of a document at its first comment, and each commenter at their own first one',
  },
  notificationDigest: {
    type: 'duration',
    default: '0s',
    max: '31d',
    help: 'How long notifications are collected, to be told in one mail to each user: 1d for one a day; 0 tells of each at once',
  },
})
