import type { Json } from '../../base/json.ts'
import { maxGraceMillis } from '../blob-gc/collect-blobs.ts'
import type { Repository } from '../session.ts'
import type { JobHandler } from './worker.ts'

/** Versions go when their live document is gone and no proxy shows them any more, so many in one transaction. */
export const removeOrphanVersionsJob: JobHandler = {
  kind: 'removeOrphanVersions',
  isBulk: true,
  async run(payload, { store, rules }) {
    const { seriesIds } = payload as { readonly [key: string]: Json }
    const ids = Array.isArray(seriesIds) ? seriesIds.filter((id) => typeof id === 'string') : []
    const atOnce = rules.orphanVersionsAtOnce
    let removed = atOnce
    while (removed === atOnce) removed = await store.transact((tx) => tx.documents.removeOrphanVersions(ids, atOnce))
  },
}

const sweepMillis = 10 * 60_000

/** Removes what has expired, and forgets who let go of which file when no collection of files asks for it any more. */
export function sweep({ store, now }: Repository): Promise<void> {
  const askedFor = new Date(Date.now() - 2 * maxGraceMillis).toISOString()
  return store.transact(async (tx) => {
    await tx.transient.sweep(now())
    await tx.blobKeys.forgetReleases(askedFor)
  })
}

/** Clears away expired values now and then. Gives the function that ends it. */
export function startSweeping(repository: Repository): () => void {
  const timer = setInterval(() => {
    sweep(repository).catch((err: unknown) => {
      repository.log.warn({ event: 'transient.unswept', repository: repository.name, err }, 'expired values could not be removed')
    })
  }, sweepMillis).unref()
  return () => clearInterval(timer)
}
