import { defineSettings } from '../../settings/define-settings.ts'

export const enricherSettings = defineSettings({
  documentUrlPattern: {
    type: 'string',
    default: '{base}nxdoc/{repo}/{id}',
    help: 'Address of a document for people, with {base}, {repo} and {id} to be filled in',
  },
  aclEnricherCompatibility: {
    type: 'boolean',
    default: false,
    property: 'platform.permissions.acl.enricher.compatibility',
    help: 'Let the acls enricher repeat its entries as ace',
  },
})
