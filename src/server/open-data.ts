import { existsSync } from 'node:fs'
import type { Log } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Tracer } from '../base/tracing.ts'
import type { Settings } from '../builtin-settings.ts'
import { databaseLost } from '../core/blob-owner/plan-ownership.ts'
import { isInUse } from '../core/blob-owner/require-same-owner.ts'
import { watchBlobs } from '../core/blobs/watch-blobs.ts'
import { textRulesOf } from '../core/search/search-settings.ts'
import { tablesOf } from '../plugin/plugin-tables.ts'
import type { BlobStore } from '../store/blobs/blob-store.ts'
import { openBlobs } from '../store/blobs/open-blobs.ts'
import { embeddedFile, openStore, type StorePlace } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { storePlaceOf } from '../store/store-settings.ts'
import type { WriteTurns } from '../store/write-turns.ts'
import type { Definitions } from './definitions.ts'

/** Where documents and files are. */
export interface Data {
  /** By the names of repositories. */
  readonly stores: ReadonlyMap<string, Store>
  readonly blobs: BlobStore
  close(): Promise<void>
}

/** Users, vocabularies and other directories belong to the whole server and live with its first repository. */
export const home = 'default'

export function homeOf<Part>(byRepository: ReadonlyMap<string, Part>): Part {
  const ofHome = byRepository.get(home)
  if (ofHome === undefined) throw new Error('There is no repository named default.')
  return ofHome
}

type Definition = Pick<Definitions, 'model' | 'plugins'>

/** What the server tells of what it does. */
interface OpenWith {
  readonly log: Log
  readonly metrics: Metrics
  readonly tracer: Tracer
  readonly writeTurns?: WriteTurns | undefined
}

/** Opens the data of a server, which makes what is not there yet. @throws databaseLost, and as openStore and openBlobs do */
export async function openData(
  settings: Settings,
  definitions: Definition,
  { log, metrics, tracer, writeTurns }: OpenWith,
): Promise<Data> {
  const blobs = await openBlobsOf(settings)
  if (!settings.adoptFiles) await requireDatabase(settings, blobs)
  const way = { asItIs: false, metrics, tracer, ...(writeTurns && { writeTurns }) }
  return joined(await openStores(settings, definitions, log, way), blobs, { log, metrics, tracer })
}

/** Opens it for a program that may run beside that server, and leaves tables and indexes as they are. */
export async function openDataAsItIs(settings: Settings, definitions: Definition, log: Log): Promise<Data> {
  const blobs = await openBlobsOf(settings)
  return joined(await openStores(settings, definitions, log, { asItIs: true }), blobs, { log })
}

/** Makes what follows from the rows of databases that were copied, as a first start would: indexes, words, what the model wants. */
export async function indexCopies(settings: Settings, definitions: Definition, log: Log): Promise<void> {
  await closeAll(await openStores(settings, definitions, log, { asItIs: false, isCopy: true }))
}

/** Brings the tables up to date, and makes indexes that the model wants, as a start would. */
export async function upgradeData(settings: Settings, definitions: Definition, log: Log): Promise<void> {
  await closeAll(await openStores(settings, definitions, log, { asItIs: false }))
}

function joined(stores: ReadonlyMap<string, Store>, blobs: BlobStore, watched: Parameters<typeof watchBlobs>[1]): Data {
  return { stores, blobs: watchBlobs(blobs, watched), close: () => closeAll(stores) }
}

function openBlobsOf({ blobs: address, data: dataFolder, blobDigestAlgorithm: digestAlgorithm }: Settings): Promise<BlobStore> {
  return openBlobs({ dataFolder, digestAlgorithm, ...(address !== undefined && { address }) })
}

/** An embedded one is not even made where the files tell that there was another. @throws databaseLost */
async function requireDatabase({ databaseUrl, data }: Settings, blobs: BlobStore): Promise<void> {
  const isMissing = () => databaseUrl === undefined && !existsSync(embeddedFile(data, home))
  // Looked for once more at the end: another process may have begun with both in between.
  if (isMissing() && (await isInUse(blobs)) && isMissing()) throw databaseLost({ repository: home })
}

async function openStores(
  settings: Settings,
  { model, plugins }: Definition,
  log: Log,
  way: Pick<StorePlace, 'asItIs' | 'isCopy' | 'writeTurns' | 'metrics' | 'tracer'>,
): Promise<ReadonlyMap<string, Store>> {
  const stores = new Map<string, Store>()
  const place = {
    ...storePlaceOf(settings),
    dataFolder: settings.data,
    textRules: textRulesOf(settings),
    tables: tablesOf(plugins),
    ...way,
  }
  try {
    for (const repository of settings.repositories) stores.set(repository, await openStore({ repository, ...place }, model, log))
  } catch (error) {
    await closeAll(stores)
    throw error
  }
  return stores
}

async function closeAll(stores: ReadonlyMap<string, Store>): Promise<void> {
  await Promise.all([...stores.values()].map((store) => store.close()))
}
