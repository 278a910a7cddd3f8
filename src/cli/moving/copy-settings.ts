import { defineSettings } from '../../settings/define-settings.ts'
import { storeSettings } from '../../store/store-settings.ts'

const { databaseUrl, databaseSchema } = storeSettings

/** The server's own settings, once for where the data is and once for where it goes. */
export const copySettings = defineSettings({
  fromData: { type: 'string', help: 'Folder of the source; like all of --from-… what the server itself has when absent' },
  fromDatabaseUrl: { type: 'url', protocols: databaseUrl.protocols, help: 'PostgreSQL database of the source' },
  fromDatabaseSchema: { type: 'string', pattern: databaseSchema.pattern, help: 'First part of the names of its schemas' },
  fromBlobs: { type: 'string', help: 'Where the files of the source are: a folder or s3://…' },
  toData: {
    type: 'string',
    help: 'Folder of the target: its embedded database, unless --to-database-url says otherwise, and its files, unless --to-blobs does',
  },
  toDatabaseUrl: { type: 'url', protocols: databaseUrl.protocols, help: 'PostgreSQL database of the target' },
  toDatabaseSchema: { type: 'string', pattern: databaseSchema.pattern, help: 'First part of the names of its schemas' },
  toBlobs: {
    type: 'string',
    help: 'Where the files of the target go: a folder or s3://…; without it and --to-data they stay where they are',
  },
})
