import { typedName } from '../../base/typed-name.ts'
import { systemAccess } from '../../core/access.ts'
import { readStoredForUpdate, store } from '../../core/documents/read-for-update.ts'
import { defineJob, type JobHandler } from '../../core/jobs/worker.ts'
import type { InlineListener, WriteSession } from '../../core/session.ts'
import { type Document, type DocumentId, isUnderRetentionOrHold } from '../../model/document.ts'
import type { Services } from '../../rest/services.ts'
import { findAttached } from './record-copy.ts'
import { runActions } from './rule-actions.ts'
import { recordFacet, recordProperties } from './rule-model.ts'

const endKind = typedName<{ readonly document: DocumentId }>('retention.end')

/**
 * Once retention is over, the record remembers until when it was kept, and what its rule says is to be done then is left to a job: it may
 * fail without the retention lasting any longer. A record under legal hold waits until that is taken away.
 */
export const rememberEnd: InlineListener = {
  name: 'rememberEndOfRetention',
  when: 'inline',
  facet: recordFacet,
  events: ['retentionExpired'],
  async handle({ document, properties: { retainUntil } }, session) {
    const attached = findAttached(document)
    if (attached === undefined) return
    const isDue = attached.definition.endActions.length > 0
    const ended = typeof retainUntil === 'string' ? retainUntil : session.now
    await remember(session, document.id, { [recordProperties.retainUntil]: ended, [recordProperties.endDue]: isDue })
    if (isDue && !document.hasLegalHold) await order(session, document)
  },
}

export const endAfterHold: InlineListener = {
  name: 'endRetentionAfterHold',
  when: 'inline',
  facet: recordFacet,
  events: ['afterRemoveLegalHold'],
  async handle({ document }, session) {
    if (findAttached(document)?.isEndDue && !isUnderRetentionOrHold(document, session.now)) await order(session, document)
  },
}

function order({ tx }: WriteSession, { id }: Document): Promise<void> {
  return tx.jobs.add(endKind, { document: id })
}

async function remember(session: WriteSession, id: DocumentId, own: Document['properties']): Promise<void> {
  const record = await readStoredForUpdate(session, id)
  await store(session, record, { ...record, properties: { ...record.properties, ...own } })
}

/** All that is to be done in one transaction, so that nothing is done twice or by halves. What keeps failing is parked for a person. */
export function endJob(services: Services): JobHandler {
  return defineJob({
    kind: endKind,
    run: ({ document: id }, repository) =>
      systemAccess(repository).write(async (session) => {
        const record = await session.tx.documents.findForUpdate(id)
        const attached = record && findAttached(record)
        if (record === undefined || !attached?.isEndDue || isUnderRetentionOrHold(record, session.now)) return
        await remember(session, id, { [recordProperties.endDue]: false })
        await runActions(services, session, id, attached.definition.endActions)
      }),
  })
}
