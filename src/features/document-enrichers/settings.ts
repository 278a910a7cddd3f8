import { defineSettings } from '../../settings/define-settings.ts'

export const enricherSettings = defineSettings({
  aclEnricherCompatibility: {
    type: 'boolean',
    default: false,
    property: 'platform.permissions.acl.enricher.compatibility',
    help: 'Let the acls enricher repeat its entries as ace',
  },
})
