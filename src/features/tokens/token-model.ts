import { defineSecretDirectory } from '../../core/directories/directory-definition.ts'
import { alike, date, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const tokenDirectory = 'authTokens'

export const tokenSchemas = [
  defineSchema('authtoken', {
    fields: {
      // The digest of the token, which is nowhere stored itself.
      ...alike(string(), 'token', 'userName', 'applicationName', 'deviceId', 'deviceDescription', 'permission'),
      creationDate: date(),
    },
  }),
]

export const tokenDirectories = [
  defineSecretDirectory(tokenDirectory, { schema: 'authtoken', idField: 'token', indexedFields: ['userName'] }),
]
