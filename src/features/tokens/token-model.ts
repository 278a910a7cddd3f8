import { defineSecretDirectory } from '../../core/directories/directory-definition.ts'
import { alike, date, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const tokenSchemas = [
  defineSchema('authtoken', {
    fields: {
      ...alike(string(), 'token', 'userName', 'applicationName', 'deviceId', 'deviceDescription', 'permission'),
      creationDate: date(),
    },
  }),
]

export const tokenDirectories = [
  defineSecretDirectory('authTokens', { schema: 'authtoken', idField: 'token', indexedFields: ['userName'] }),
]
