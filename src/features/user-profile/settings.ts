import { defineSettings } from '../../settings/define-settings.ts'

export const profileSettings = defineSettings({
  userprofileEnricherCompatibility: {
    type: 'boolean',
    default: false,
    property: 'platform.userprofile.enricher.compatibility',
    help: 'Let the userprofile enricher show only birthdate, phonenumber and the address of the avatar',
  },
})
