import { silentLog } from '../../../src/base/log.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import type { DatabasePlace } from '../../support/database-place.ts'
import { builtinModel } from '../../support/model/builtin-model.ts'

/** The store of a server on this place, with all the indexes it has. */
export function openStoreAt({ folder, settings: { databaseUrl, databaseSchema = '' } }: DatabasePlace): Promise<Store> {
  const place = { repository: 'default', dataFolder: folder, databaseSchema, cachedDocuments: 1_000 }
  return openStore(databaseUrl === undefined ? place : { ...place, databaseUrl }, builtinModel, silentLog)
}
