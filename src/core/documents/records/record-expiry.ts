import type { DocumentId } from '../../../model/document.ts'
import { systemAccess } from '../../access.ts'
import { announce } from '../../event.ts'
import type { Repository, WriteSession } from '../../session.ts'
import { store } from '../read-for-update.ts'
import { announceRetentionActive } from './record-change.ts'

const pageSize = 100

/**
 * Ends the retention of every record whose time has come: the date is cleared and `retentionExpired` tells it, once, however many
 * servers look at the same time. One whose listener fails stays as it is until the next round.
 */
export async function expireRetentions(repository: Repository): Promise<void> {
  const { documents } = repository.store.reader
  const now = repository.now()
  let page = await documents.listRetentionsEnded(now, undefined, pageSize)
  while (page.length > 0) {
    for (const { id } of page) await expireOrLog(repository, id)
    page = await documents.listRetentionsEnded(now, page.at(-1), pageSize)
  }
}

async function expireOrLog(repository: Repository, id: DocumentId): Promise<void> {
  try {
    await systemAccess(repository).write((session) => expireRetention(session, id))
  } catch (err) {
    repository.log.error({ event: 'retention.notExpired', document: id, err }, 'a retention could not be ended')
  }
}

/** Looks again under the lock: meanwhile it may have been extended, or ended by another server. */
async function expireRetention(session: WriteSession, id: DocumentId): Promise<void> {
  const record = await session.tx.documents.findForUpdate(id)
  const retainUntil = record?.retainUntil ?? null
  if (record === undefined || retainUntil === null || retainUntil > session.now) return
  const released = await store(session, record, { ...record, retainUntil: null })
  await announce(session, 'retentionExpired', released, { properties: { retainUntil } })
  await announceRetentionActive(session, released)
}
