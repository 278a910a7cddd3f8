import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { DataRow } from '../../core/directories/data-file.ts'
import { type DirectoryDefinition, type DirectoryOptions, defineDirectory } from '../../core/directories/directory-definition.ts'
import { boolean, date, long, string } from '../../model/field.ts'
import { type DocumentSchema, defineSchema } from '../../model/schema.ts'

export const tokenSchemas: readonly DocumentSchema[] = [
  defineSchema('oauth2Token', {
    fields: {
      id: long(),
      ...texts('serviceName', 'accessToken', 'refreshToken'),
      platformLogin: string({ namesVendor: true }),
      ...texts('serviceLogin', 'clientId'),
      isShared: boolean({ default: false }),
      sharedWith: string(),
      expirationTimeMilliseconds: long(),
      creationDate: date(),
    },
  }),
  defineSchema('oauth2Client', {
    fields: {
      id: long(),
      ...texts('name', 'clientId', 'clientSecret', 'redirectURIs'),
      autoGrant: boolean(),
      enabled: boolean({ default: true }),
    },
  }),
  defineSchema('oauth2ServiceProvider', {
    fields: {
      id: long(),
      ...texts('serviceName', 'description', 'authorizationServerURL', 'tokenServerURL', 'userAuthorizationURL'),
      ...texts('clientId', 'clientSecret', 'scopes'),
      enabled: boolean({ default: true }),
    },
  }),
  defineSchema('authtoken', {
    fields: {
      ...texts('token', 'userName', 'applicationName', 'deviceId', 'deviceDescription', 'permission'),
      creationDate: date(),
    },
  }),
  defineSchema('oauthConsumer', {
    fields: {
      ...texts(
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
      ...texts('token', 'tokenSecret', 'appId', 'callbackUrl'),
      platformLogin: string({ namesVendor: true }),
      ...texts('consumerKey', 'verifier'),
      durationInMinutes: long(),
      creationDate: date(),
      clientToken: boolean({ default: false }),
      clientId: string(),
    },
  }),
  defineSchema('digestauth', { fields: texts('username', 'password') }),
]

/** Where authentication keeps what it knows. Whoever reads them can act as anybody, so only administrators may. */
export const tokenDirectories: readonly DirectoryDefinition[] = [
  secret('oauth2Tokens', {
    schema: 'oauth2Token',
    autoincrementId: true,
    indexedFields: ['accessToken', 'refreshToken', 'platformLogin', 'serviceLogin'],
  }),
  secret('oauth2Clients', { schema: 'oauth2Client', autoincrementId: true, indexedFields: ['clientId'], dataFile: ownClients }),
  secret('oauth2ServiceProviders', { schema: 'oauth2ServiceProvider', autoincrementId: true, indexedFields: ['serviceName'] }),
  secret('authTokens', { schema: 'authtoken', idField: 'token', indexedFields: ['userName'] }),
  secret('oauthConsumers', { schema: 'oauthConsumer', idField: 'consumerKey' }),
  secret('oauthTokens', { schema: 'oauthToken', idField: 'token', indexedFields: ['platformLogin'] }),
  secret('digestauth', { schema: 'digestauth', idField: 'username', passwordField: 'password' }),
]

function texts(...names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, string()]))
}

function secret(name: string, options: DirectoryOptions): DirectoryDefinition {
  return defineDirectory(name, { types: ['system'], permissions: { read: [], write: [] }, ...options })
}

/** The programs for desktops and telephones, which a deployment trusts from its first day (security 5). */
async function ownClients(vendored: VendorIdentifiers): Promise<readonly DataRow[]> {
  return [
    { name: vendored('Platform Drive'), clientId: vendored('platform-drive'), redirectURIs: 'nxdrive://authorize' },
    { name: vendored('Platform Mobile'), clientId: vendored('platform-mobile'), redirectURIs: vendored('platform://authorize') },
  ].map((client) => ({ ...client, autoGrant: true, enabled: true }))
}
