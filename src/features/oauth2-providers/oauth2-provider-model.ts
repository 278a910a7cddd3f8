import { defineSecretDirectory } from '../../core/directories/directory-definition.ts'
import { alike, boolean, long, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const providerDirectory = 'oauth2ServiceProviders'

export const oauth2ProviderSchemas = [
  defineSchema('oauth2ServiceProvider', {
    fields: {
      id: long(),
      ...alike(string(), 'serviceName', 'description', 'authorizationServerURL', 'tokenServerURL', 'userAuthorizationURL'),
      ...alike(string(), 'clientId', 'clientSecret', 'scopes'),
      enabled: boolean({ default: true }),
    },
  }),
]

export const oauth2ProviderDirectories = [
  defineSecretDirectory(providerDirectory, {
    schema: 'oauth2ServiceProvider',
    autoincrementId: true,
    indexedFields: ['serviceName'],
    uniqueFields: ['serviceName'],
  }),
]
