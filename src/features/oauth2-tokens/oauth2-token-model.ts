import { defineSecretDirectory } from '../../core/directories/directory-definition.ts'
import { alike, boolean, date, long, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const tokenDirectory = 'oauth2Tokens'

export const oauth2TokenSchemas = [
  defineSchema('oauth2Token', {
    fields: {
      id: long(),
      ...alike(string(), 'serviceName', 'accessToken', 'refreshToken'),
      platformLogin: string({ namesVendor: true }),
      ...alike(string(), 'serviceLogin', 'clientId'),
      isShared: boolean({ default: false }),
      sharedWith: string(),
      expirationTimeMilliseconds: long(),
      creationDate: date(),
    },
  }),
]

export const oauth2TokenDirectories = [
  defineSecretDirectory(tokenDirectory, {
    schema: 'oauth2Token',
    autoincrementId: true,
    indexedFields: ['accessToken', 'refreshToken', 'platformLogin', 'serviceLogin'],
  }),
]
