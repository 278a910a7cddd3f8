import { defineSettings } from '../../settings/define-settings.ts'

export const tagSettings = defineSettings({
  tagSanitizationEnabled: {
    type: 'boolean',
    default: true,
    property: 'platform.tag.sanitization.enabled',
    help: 'Drop spaces, slashes, backslashes and apostrophes from tags',
  },
  tagRemovalOnTrashEnabled: {
    type: 'boolean',
    default: true,
    property: 'platform.tag.removal.on.trash.enabled',
    help: 'Take the tags off documents that go into the trash',
  },
})
