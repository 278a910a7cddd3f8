import type { Log } from '../../base/log.ts'
import { typedName } from '../../base/typed-name.ts'
import {
  added,
  beginSweep,
  type CollectionCounts,
  type CollectionRules,
  collectionStopped,
  nothingCounted,
  requireUsualShare,
  tallyIn,
} from '../../core/blob-gc/collect-blobs.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import { defineJob, type JobHandler } from '../../core/jobs/worker.ts'
import type { Services } from '../../rest/services.ts'

/** How far a collection has come: first all files are counted, then the unreferenced ones are removed. */
type Progress = {
  readonly slice?: number
  readonly removes?: boolean
  readonly counted?: { readonly [name in keyof CollectionCounts]: number }
}

const kind = typedName<Progress>('collectBlobs')
const tonight = 'collectBlobs/tonight'
const untilNextNightSeconds = 20 * 3_600

/** Has unreferenced files removed, once a night in the hour of the server's own time that is given. */
export function nightlyCollection(hour: number): Schedule {
  return {
    name: 'collectBlobs',
    // So that every night has a run in that hour.
    everySeconds: 1_500,
    // Files belong to all repositories together.
    isShared: true,
    async run({ tx, now }) {
      if (new Date(now).getHours() !== hour) return
      if (await tx.transient.lease(tonight, untilNextNightSeconds, now)) await tx.jobs.add(kind, {})
    },
  }
}

/** How all keys there can be begin: a job may end behind the files of any. */
const allSlices: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

// Other jobs wait as long, and a server that stops.
const usualTurnMillis = 5_000

/** Looks at some files and leaves the rest to another job, so that no job waits behind all of them. */
export function collectBlobsJob(
  services: Pick<Services, 'repositories'>,
  { graceMillis, maxShare }: CollectionRules,
  turnMillis = usualTurnMillis,
): JobHandler {
  return defineJob({
    kind,
    isBulk: true,
    async run({ slice = 0, removes = false, counted = nothingCounted }, { store, log }, _signal, progress) {
      const sweep = await beginSweep(services.repositories, { graceMillis, dryRun: !removes })
      const ends = performance.now() + turnMillis
      do {
        counted = added(counted, await sweep(allSlices[slice] ?? ''))
        slice += 1
      } while (slice < allSlices.length && performance.now() < ends)
      const goOn = (next: Progress) => store.transact((tx) => progress.handOver(tx, kind, next))
      if (slice < allSlices.length) await goOn({ slice, removes, counted: { ...counted } })
      else if (removes) log.info({ event: 'blobs.collected', ...tallyIn(counted) }, 'unreferenced files were removed')
      else if (isUsual(counted, maxShare, log)) await goOn({ removes: true })
    },
  })
}

/** An operator has to look at it; trying it again would find the same. */
function isUsual(counted: CollectionCounts, maxShare: number, log: Log): boolean {
  try {
    requireUsualShare(counted, maxShare)
    return true
  } catch (err) {
    if (!collectionStopped.is(err)) throw err
    log.error({ event: 'blobs.collectionStopped', ...tallyIn(counted), err }, err.message)
    return false
  }
}
