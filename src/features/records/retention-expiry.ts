import { expireRetentions } from '../../core/documents/records/record-expiry.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import type { JobHandler } from '../../core/jobs/worker.ts'

/** Looks every minute whether a retention ended. There may be any number, so that they are ended is a job. */
export const retentionSchedule = {
  name: 'retentionExpiry',
  everySeconds: 60,
  async run({ tx, now }) {
    const ended = await tx.documents.listRetentionsEnded(now, undefined, 1)
    if (ended.length > 0) await tx.jobs.add('expireRetentions', null)
  },
} satisfies Schedule

export const expireRetentionsJob: JobHandler = {
  kind: 'expireRetentions',
  isBulk: true,
  run: (_payload, repository) => expireRetentions(repository),
}
