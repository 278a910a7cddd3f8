import { typedName } from '../../base/typed-name.ts'
import { type DocumentId, nextChangeToken } from '../../model/document.ts'
import { type Properties, withBlobs } from '../../model/properties/property.ts'
import { countDigest } from '../../store/blobs/blob-digest.ts'
import { blobMissing, type StoredBlob } from '../../store/blobs/blob-store.ts'
import type { Schedule } from '../jobs/schedule.ts'
import { defineJob, type JobHandler } from '../jobs/worker.ts'
import type { Repository } from '../session.ts'

// Earlier programs named files by their MD5. They are given the address that they would have today and documents are told of it, one
// file after the other, beside everything else. A process may end anywhere in it: the new name is durable before the first document
// has it, and the old file goes with a collection, once the last one has let go of it.

/** How far it has come. */
type Progress = { readonly after?: string; readonly carried?: number; readonly flawed?: number }

const kind = typedName<Progress>('carryOverFiles')
const underWay = 'carryOverFiles/underWay'
const underWaySeconds = 900

/** Has the files carried over that documents have under an old address, also those that come with an old upload batch or backup. */
export const carryOverSchedule: Schedule = {
  name: 'carryOverFiles',
  everySeconds: 1_800,
  async run({ tx, now }) {
    const [first] = await tx.blobKeys.listOldAddresses('', 1)
    if (first === undefined) return
    if (await tx.transient.add(underWay, true, secondsAfter(now, underWaySeconds), now)) await tx.jobs.add(kind, {})
  },
}

// Other jobs wait as long, and a server that stops.
const defaultTimeSliceMillis = 2_000
const filesOnAPage = 100

/** Carries some files over and leaves the rest to another job, so that no job waits behind all of them. */
export function carryOverJob(timeSliceMillis = defaultTimeSliceMillis): JobHandler {
  return defineJob({
    kind,
    isBulk: true,
    async run({ after = '', carried = 0, flawed = 0 }, repository, _signal, progress) {
      const { store, log, now } = repository
      const ends = performance.now() + timeSliceMillis
      const keys = await store.reader.blobKeys.listOldAddresses(after, filesOnAPage)
      for (const key of keys) {
        const isCarried = await carryOver(repository, key)
        carried += isCarried ? 1 : 0
        flawed += isCarried ? 0 : 1
        after = key
        if (performance.now() > ends) break
      }
      if (keys.length === 0) {
        await store.transact((tx) => tx.transient.remove(underWay))
        return log.info({ event: 'blobs.carriedOver', repository: repository.name, carried, flawed }, 'files have new addresses')
      }
      await store.transact(async (tx) => {
        await tx.transient.set(underWay, true, secondsAfter(now(), underWaySeconds))
        await progress.handOver(tx, kind, { after, carried, flawed })
      })
    },
  })
}

const flawedFile = 'a file that documents have is missing or damaged'

/**
 * False when the file is not there, or is not what its name says: it keeps that name, or that could not be found out any more.
 */
async function carryOver(repository: Repository, key: string): Promise<boolean> {
  const { blobs, log } = repository
  const about = { repository: repository.name, key }
  const found = await readThrough(repository, key).catch((err: unknown) => {
    log.warn({ event: 'blob.unread', ...about, err }, 'a file cannot be read and keeps its old address for now')
    return 'unread' as const
  })
  if (found === 'unread') return false
  if (found?.digest !== key) {
    await blobs.flaws.mark(key)
    log.error({ event: 'blob.flawed', ...about, isMissing: found === undefined }, flawedFile)
    return false
  }
  await blobs.addAddress(key, found)
  await tellDocuments(repository, key, found.key)
  return true
}

async function readThrough({ blobs }: Repository, key: string): Promise<StoredBlob | undefined> {
  const digest = countDigest('MD5')
  try {
    for await (const chunk of await blobs.read(key)) digest.add(chunk)
  } catch (error) {
    if (blobMissing.is(error)) return undefined
    throw error
  }
  return digest.finish()
}

const referrersOnAPage = 200

async function tellDocuments({ store }: Repository, from: string, to: string): Promise<void> {
  await store.transact((tx) => tx.blobKeys.copyTexts(from, to))
  for (let after = 0; ; ) {
    const page = await store.reader.blobKeys.listReferrers(from, after, referrersOnAPage)
    for (const { documentId } of page) await tellDocument(store, documentId, from, to)
    const last = page.at(-1)
    if (last === undefined) return
    after = last.seq
  }
}

/**
 * One document at a time, so that no transaction waits long for a row. A client that read it before and writes it now is told by
 * the token to read it again: its properties have the old key, and the index of keys would not know.
 */
async function tellDocument(store: Repository['store'], id: DocumentId, from: string, to: string): Promise<void> {
  await store.transact(async (tx) => {
    const before = await tx.documents.findForUpdate(id)
    if (before === undefined) return
    const properties = readdressed(before.properties, from, to)
    if (properties === before.properties) return
    await tx.documents.update(before, { ...before, properties, changeToken: nextChangeToken(before.changeToken, false) })
  })
}

function readdressed(properties: Properties, from: string, to: string): Properties {
  return withBlobs(properties, (blob) => (blob.key === from ? { ...blob, key: to } : blob)) as Properties
}

function secondsAfter(now: string, seconds: number): string {
  return new Date(Date.parse(now) + seconds * 1_000).toISOString()
}
