import { embeddedFile, type StorePlace } from '../open-store.ts'
import type { CarriedSource, CarriedTarget, RowSource } from './carried-database.ts'
import type { TargetWish } from './prepare-target.ts'

export type CarriedPlace = Pick<StorePlace, 'dataFolder' | 'databaseUrl' | 'databaseSchema'>

/** All repositories as they are at one moment: on PostgreSQL at the very same, of embedded databases one after the other. */
export interface Snapshots<Source extends RowSource = CarriedSource> {
  readonly sources: ReadonlyMap<string, Source>
  close(): Promise<void>
}

/** @throws databaseAbsent, databaseUnreachable */
export async function openSnapshots(place: CarriedPlace, repositories: readonly string[]): Promise<Snapshots> {
  return place.databaseUrl === undefined ? openEmbedded(place, repositories) : openSchemas(place.databaseUrl, place, repositories)
}

async function openEmbedded({ dataFolder }: CarriedPlace, repositories: readonly string[]): Promise<Snapshots> {
  const { openSqliteSnapshot } = await import('../sqlite/sqlite-carried.ts')
  const opened = new Map<string, Awaited<ReturnType<typeof openSqliteSnapshot>>>()
  const close = async () => {
    for (const source of opened.values()) await source.close()
  }
  try {
    for (const repository of repositories) opened.set(repository, await openSqliteSnapshot(embeddedFile(dataFolder, repository)))
  } catch (error) {
    await close()
    throw error
  }
  return { sources: opened, close }
}

async function openSchemas(url: string, { databaseSchema }: CarriedPlace, repositories: readonly string[]): Promise<Snapshots> {
  const { openPostgresSnapshot } = await import('../postgres/postgres-carried.ts')
  const snapshot = await openPostgresSnapshot(url)
  const sources = new Map<string, CarriedSource>()
  try {
    for (const repository of repositories) sources.set(repository, await snapshot.open(`${databaseSchema}_${repository}`))
  } catch (error) {
    await snapshot.close()
    throw error
  }
  return { sources, close: () => snapshot.close() }
}

/** A target that was prepared. */
export interface OpenTarget extends CarriedTarget {
  close(): Promise<void>
}

/** @throws targetNotEmpty, databaseUnreachable */
export async function openTarget(place: CarriedPlace, repository: string, wish: Omit<TargetWish, 'place'>): Promise<OpenTarget> {
  const { databaseUrl: url, databaseSchema, dataFolder } = place
  if (url !== undefined) {
    const { openPostgresTarget } = await import('../postgres/postgres-carried.ts')
    return openPostgresTarget(url, `${databaseSchema}_${repository}`, wish)
  }
  const { openSqliteTarget } = await import('../sqlite/sqlite-carried.ts')
  return openSqliteTarget(embeddedFile(dataFolder, repository), wish)
}

/** Says that all has come: only now does a server open it. */
export async function completeCopy(
  { databaseUrl: url, databaseSchema, dataFolder }: CarriedPlace,
  repository: string,
): Promise<void> {
  if (url !== undefined) {
    const { completePostgresCopy } = await import('../postgres/postgres-carried.ts')
    return completePostgresCopy(url, `${databaseSchema}_${repository}`)
  }
  const { completeSqliteCopy } = await import('../sqlite/sqlite-carried.ts')
  return completeSqliteCopy(embeddedFile(dataFolder, repository))
}
