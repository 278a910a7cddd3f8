import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { DataRow } from '../../core/directories/data-file.ts'
import { defineSecretDirectory } from '../../core/directories/directory-definition.ts'
import { alike, boolean, long, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const clientDirectory = 'oauth2Clients'

export const oauth2ClientSchemas = [
  defineSchema('oauth2Client', {
    fields: {
      id: long(),
      ...alike(string(), 'name', 'clientId', 'clientSecret', 'redirectURIs'),
      autoGrant: boolean(),
      enabled: boolean({ default: true }),
    },
  }),
]

export const oauth2ClientDirectories = [
  defineSecretDirectory(clientDirectory, {
    schema: 'oauth2Client',
    autoincrementId: true,
    indexedFields: ['clientId'],
    uniqueFields: ['clientId'],
    dataFile: ownClients,
  }),
]

/** The programs for desktops and telephones, which a deployment trusts from its first day (security 4). */
async function ownClients(vendored: VendorIdentifiers): Promise<readonly DataRow[]> {
  return [
    { name: vendored('Platform Drive'), clientId: vendored('platform-drive'), redirectURIs: 'nxdrive://authorize' },
    { name: vendored('Platform Mobile'), clientId: vendored('platform-mobile'), redirectURIs: vendored('platform://authorize') },
  ].map((client) => ({ ...client, autoGrant: true, enabled: true }))
}
