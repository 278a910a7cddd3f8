import { silentLog } from '../../../src/base/log.ts'
import { contentModel } from '../../../src/model/builtin/content-model.ts'
import { createModel } from '../../../src/model/model.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import type { DatabasePlace } from '../../support/database-place.ts'

/** The store of a server on this place, with all the indexes it has. */
export function openStoreAt({ folder, settings: { databaseUrl, databaseSchema = '' } }: DatabasePlace): Promise<Store> {
  const place = { repository: 'default', dataFolder: folder, databaseSchema, keptDocuments: 0 }
  return openStore(databaseUrl === undefined ? place : { ...place, databaseUrl }, createModel(contentModel), silentLog)
}
