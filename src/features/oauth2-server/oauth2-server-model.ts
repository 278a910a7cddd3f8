import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { DataRow } from '../../core/directories/data-file.ts'
import { defineSecretDirectory } from '../../core/directories/directory-definition.ts'
import { alike, boolean, date, long, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const oauth2Schemas = [
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
  defineSchema('oauth2Client', {
    fields: {
      id: long(),
      ...alike(string(), 'name', 'clientId', 'clientSecret', 'redirectURIs'),
      autoGrant: boolean(),
      enabled: boolean({ default: true }),
    },
  }),
]

export const oauth2Directories = [
  defineSecretDirectory('oauth2Tokens', {
    schema: 'oauth2Token',
    autoincrementId: true,
    indexedFields: ['accessToken', 'refreshToken', 'platformLogin', 'serviceLogin'],
  }),
  defineSecretDirectory('oauth2Clients', {
    schema: 'oauth2Client',
    autoincrementId: true,
    indexedFields: ['clientId'],
    dataFile: ownClients,
  }),
]

/** The programs for desktops and telephones, which a deployment trusts from its first day (security 5). */
async function ownClients(vendored: VendorIdentifiers): Promise<readonly DataRow[]> {
  return [
    { name: vendored('Platform Drive'), clientId: vendored('platform-drive'), redirectURIs: 'nxdrive://authorize' },
    { name: vendored('Platform Mobile'), clientId: vendored('platform-mobile'), redirectURIs: vendored('platform://authorize') },
  ].map((client) => ({ ...client, autoGrant: true, enabled: true }))
}
