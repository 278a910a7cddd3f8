import type { Schedule } from '../jobs/schedule.ts'
import type { JobHandler } from '../jobs/worker.ts'
import type { Repository } from '../session.ts'
import { added, beginSweep, emptyTally, type Tally } from './collect-blobs.ts'

const kind = 'collectBlobs'
const tonight = 'collectBlobs/tonight'
const hourMillis = 3_600_000

/** Has the files that nobody needs removed, once a night in the hour of the server's own time that is given. */
export function nightlyCollection(hour: number): Schedule {
  return {
    name: 'collectBlobs',
    // So that every night has a turn in that hour.
    everySeconds: 1_500,
    async run({ tx, now }) {
      if (new Date(now).getHours() !== hour) return
      const nextNight = new Date(Date.parse(now) + 20 * hourMillis).toISOString()
      if (await tx.transient.add(tonight, true, nextNight, now)) await tx.jobs.add(kind, {})
    },
  }
}

/** How all keys there can be begin: a job may end behind the files of any. */
const everySlice: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** How far a collection has come. */
type Progress = { readonly slice?: number; readonly tally?: { readonly [name in keyof Tally]: number } }

// Other jobs wait as long, and a server that stops.
const usualTurnMillis = 5_000

/** Looks at some files and leaves the rest to another job, so that no job waits behind all of them. */
export function collectBlobsJob(
  repositories: ReadonlyMap<string, Repository>,
  graceMillis: number,
  turnMillis = usualTurnMillis,
): JobHandler {
  return {
    kind,
    async run(payload, { store, log }) {
      const sweep = await beginSweep(repositories, { graceMillis })
      const ends = performance.now() + turnMillis
      let { slice = 0, tally = emptyTally } = payload as Progress
      do {
        tally = added(tally, await sweep(everySlice[slice] ?? ''))
        slice += 1
      } while (slice < everySlice.length && performance.now() < ends)
      if (slice < everySlice.length) await store.transact((tx) => tx.jobs.add(kind, { slice, tally: { ...tally } }))
      else log.info({ event: 'blobs.collected', ...tally }, 'files that nobody needs were removed')
    },
  }
}
