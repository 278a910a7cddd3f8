import { defineSettings } from '../../settings/define-settings.ts'

/** Of commands that bring tables elsewhere. */
export const leaveOutOption = defineSettings({
  leaveOut: {
    type: 'list',
    default: [],
    help: 'Tables that are not copied, such as those of a plugin that is not wanted any more',
  },
})
