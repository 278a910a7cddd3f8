import type { Json } from '../../base/json.ts'
import { systemAccess } from '../access.ts'
import { maxGraceMillis } from '../blob-gc/collect-blobs.ts'
import { documentCategory } from '../event.ts'
import { announceToServer } from '../server-event.ts'
import type { Repository, WriteSession } from '../session.ts'
import type { JobHandler } from './worker.ts'

/**
 * Versions go when their live document is gone and no proxy shows them any more, so many in one transaction. Listeners are told of all of
 * these at once, before and after: an event for each would read them, and there may be millions.
 */
export const removeOrphanVersionsJob: JobHandler = {
  kind: 'removeOrphanVersions',
  isBulk: true,
  async run(payload, repository) {
    const { seriesIds } = payload as { readonly [key: string]: Json }
    const ids = Array.isArray(seriesIds) ? seriesIds.filter((id) => typeof id === 'string') : []
    const atOnce = repository.rules.orphanVersionsAtOnce
    const removeSome = async (session: WriteSession) => {
      const { documents } = session.tx
      const orphans = await documents.lockOrphanVersions(ids, session.model.keepingProperties, atOnce)
      if (orphans.length === 0) return 0
      const about = { category: documentCategory, properties: { ids: orphans } }
      await announceToServer(session, 'aboutToRemoveOrphanVersions', about)
      await documents.removeVersions(orphans)
      await announceToServer(session, 'orphanVersionsRemoved', about)
      return orphans.length
    }
    let removed = atOnce
    while (removed === atOnce) removed = await systemAccess(repository).write(removeSome)
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
