import { newId } from '../../base/ids.ts'
import { lastMoment } from '../../base/iso-date.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'
import { homeOf, listNoted } from '../blob-gc/known-repositories.ts'
import type { Repository } from '../session.ts'
import { type DatabaseFacts, filesOfAnotherDatabase, findSeparation } from './plan-ownership.ts'

/** Under which each database has noted whose its files are. */
export const ownerKey = 'files/owner'

/**
 * Refuses to work with files and databases that do not belong together: collecting the files that no document refers to would
 * remove them all. Both know one id, which is written when neither has one yet and nothing speaks against it.
 * @throws databaseLost, filesLost, filesOfAnotherDatabase
 */
export async function requireSameOwner(
  repositories: ReadonlyMap<string, Repository>,
  { adopts = false }: { readonly adopts?: boolean } = {},
): Promise<void> {
  const { blobs } = homeOf(repositories)
  // Before the databases are looked at: other processes that start now write to them first.
  const owner = await blobs.findOwner()
  const storeHasFiles = owner === undefined && (await hasFiles(blobs))
  const databases = await readDatabases(repositories)
  const separation = adopts ? undefined : findSeparation({ owner, storeHasFiles, databases })
  if (separation !== undefined) throw separation
  const [home] = databases
  const wanted = (adopts ? home?.owner : (owner ?? databases.find((one) => one.owner !== undefined)?.owner)) ?? newId()
  const isNoted = !adopts && databases.every((one) => one.owner === wanted)
  const id = isNoted ? wanted : await noteOwner(repositories, wanted, adopts)
  if (id !== owner) await blobs.setOwner(id)
}

/** Whether a database that is made now would not be the first with these files. */
export async function isInUse(blobs: BlobStore): Promise<boolean> {
  return (await blobs.findOwner()) !== undefined || hasFiles(blobs)
}

/** The same, for a process that has run for long: what is at the address may be another than at its start. */
export async function requireOwnFiles(repositories: ReadonlyMap<string, Repository>): Promise<void> {
  const owner = await homeOf(repositories).blobs.findOwner()
  for (const [repository, one] of repositories) {
    if ((await findNoted(one)) !== owner) throw filesOfAnotherDatabase({ repository })
  }
}

async function hasFiles(blobs: BlobStore): Promise<boolean> {
  for await (const _ of blobs.list()) return true
  return false
}

async function readDatabases(repositories: ReadonlyMap<string, Repository>): Promise<readonly DatabaseFacts[]> {
  const noted = await listNoted(homeOf(repositories))
  const all = [...repositories].map(async ([repository, one]) => ({
    repository,
    owner: await findNoted(one),
    isNew: (await one.store.reader.documents.findByPath('/')) === undefined,
    hasFiles: await one.store.reader.blobKeys.hasAny(),
    isNoted: noted.includes(repository),
  }))
  const facts = await Promise.all(all)
  return facts.toSorted((left, right) => Number(right.repository === 'default') - Number(left.repository === 'default'))
}

/** Gives the one that is there: another process may have been faster. */
async function noteOwner(repositories: ReadonlyMap<string, Repository>, wanted: string, replaces: boolean): Promise<string> {
  const home = homeOf(repositories)
  const id = await note(home, wanted, replaces)
  for (const repository of repositories.values()) if (repository !== home) await note(repository, id, replaces)
  return id
}

function note(repository: Repository, id: string, replaces: boolean): Promise<string> {
  const { store, now } = repository
  return store.transact(async (tx) => {
    if (replaces) await tx.transient.set(ownerKey, id, lastMoment)
    else await tx.transient.add(ownerKey, id, lastMoment, now())
    return String(await tx.transient.find(ownerKey, now()))
  })
}

/** Whose files the database of a repository knows to be its own. */
export async function findNoted({ store, now }: Repository): Promise<string | undefined> {
  const owner = await store.reader.transient.find(ownerKey, now())
  return typeof owner === 'string' ? owner : undefined
}
