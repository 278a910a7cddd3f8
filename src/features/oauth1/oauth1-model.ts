import { defineSecretDirectory } from '../../core/directories/directory-definition.ts'
import { alike, boolean, date, long, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const consumerDirectory = 'oauthConsumers'
export const accessTokenDirectory = 'oauthTokens'

export const oauth1Schemas = [
  defineSchema('oauthConsumer', {
    fields: {
      ...alike(
        string(),
        'consumerKey',
        'consumerSecret',
        'publicKey',
        'callbackURL',
        'description',
        'signedFetchSupport',
        'dedicatedLogin',
      ),
      enabled: boolean({ default: true }),
      allowBypassVerifier: boolean({ default: false }),
    },
  }),
  defineSchema('oauthToken', {
    fields: {
      ...alike(string(), 'token', 'tokenSecret', 'appId', 'callbackUrl'),
      platformLogin: string({ namesVendor: true }),
      ...alike(string(), 'consumerKey', 'verifier'),
      durationInMinutes: long(),
      creationDate: date(),
      clientToken: boolean({ default: false }),
      clientId: string(),
    },
  }),
]

export const oauth1Directories = [
  defineSecretDirectory(consumerDirectory, { schema: 'oauthConsumer', idField: 'consumerKey' }),
  defineSecretDirectory(accessTokenDirectory, { schema: 'oauthToken', idField: 'token', indexedFields: ['platformLogin'] }),
]
