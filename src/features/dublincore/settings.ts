import { defineSettings } from '../../settings/define-settings.ts'

export const dublincoreSettings = defineSettings({
  resetCreatorOnCopy: {
    type: 'boolean',
    default: false,
    property: 'platform.dclistener.reset-creator-on-copy',
    help: 'Make whoever copies a document its creator',
  },
})
