import type { IsoDate } from '../../base/iso-date.ts'
import { findAceNote } from '../../core/documents/rights/ace-note.ts'
import { announce } from '../../core/event.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { aceId } from '../../model/rights/ace-id.ts'
import type { Ace } from '../../model/rights/acl.ts'
import { announceGrant } from './ace-notes.ts'

const documentsInOneEvent = 100

/**
 * Tells of entries that began or ended since the last time. Rights follow the clock by themselves, in checks and in queries
 * alike; this is for those who want to know.
 */
export const aceStatusSchedule: Schedule = {
  name: 'aceStatus',
  everySeconds: 300,
  async run(session, { since }) {
    const turned = await session.tx.acps.listTurned(since, session.now)
    const root = turned.length === 0 ? undefined : await session.tx.documents.findByPath('/')
    if (root === undefined) return
    for (let first = 0; first < turned.length; first += documentsInOneEvent) {
      const documents = turned.slice(first, first + documentsInOneEvent)
      await announce(session, 'ACEStatusUpdated', root, { properties: { documentRefs: documents.map(({ id }) => id) } })
      for (const document of documents) await announceBegun(session, document, since)
    }
  },
}

/** Users who are to be notified of a right are notified when it begins. */
async function announceBegun(session: WriteSession, document: Document, since: IsoDate): Promise<void> {
  const hasBegun = ({ begin }: Ace) => begin !== null && begin > since && begin <= session.now
  for (const { name: aclName, aces } of document.acls) {
    for (const ace of aces.filter(hasBegun)) {
      const note = await findAceNote(session, document, aclName, aceId(ace))
      if (note?.notify) await announceGrant(session, document, { aclName, ace })
    }
  }
}
