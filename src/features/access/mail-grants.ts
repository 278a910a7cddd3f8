import { findAceNote } from '../../core/documents/rights/ace-note.ts'
import type { InlineListener } from '../../core/session.ts'
import { aceId } from '../../model/rights/ace-id.ts'
import type { Ace } from '../../model/rights/acl.ts'
import type { Services } from '../../rest/services.ts'
import { listReceivers, mailPrincipals, requireMailRate } from '../mail/index.ts'

/** Mails those who were given a right, where whoever gave it wants them to know (contract: adapters 3.3). */
export const mailGrants = (services: Pick<Services, 'valuesOf' | 'principals' | 'directories'>): InlineListener => ({
  name: 'mailGrants',
  when: 'inline',
  events: ['permissionNotification'],
  async handle({ document, properties }, session) {
    const { ace, aclName } = properties as { readonly ace?: Ace; readonly aclName?: string }
    // A chain may tell of the event without saying what was granted.
    if (ace === undefined || aclName === undefined) return
    const people = { principals: services.principals, directories: services.directories.store.reader.directories }
    // A group is as many mails as it has members.
    const receivers = await listReceivers(people, [ace.username])
    await requireMailRate(session, services.valuesOf, Math.max(1, receivers.length))
    const note = await findAceNote(session, document, aclName, aceId(ace))
    await mailPrincipals(session, {
      template: 'aceGranted',
      to: [ace.username],
      document,
      words: {
        texts: { permission: ace.permission, comment: note?.comment ?? '' },
        ...(ace.end !== null && { dates: { end: ace.end } }),
      },
    })
  },
})
