import { defineProblem } from '../../base/problem.ts'
import { requireRightAt, store } from '../../core/documents/read-for-update.ts'
import { readSubject, shownAt } from '../../core/documents/read-subject.ts'
import { retentionEnforced, unsetRetention } from '../../core/documents/records/unset-retention.ts'
import { requirePermission } from '../../core/permissions.ts'
import type { InlineListener, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { findAttached, isUnderRule, withoutRule } from './record-copy.ts'
import { isRecordManager } from './rule-managers.ts'
import { recordFacet, recordProperties } from './rule-model.ts'

export const noRuleAttached = defineProblem(
  'noRuleAttached',
  'conflict',
  (of: { id: string }) => `${of.id} has no retention rule that could be taken back.`,
)
export const notFlexible = defineProblem(
  'notFlexible',
  'conflict',
  (of: { id: string }) =>
    `The rule of ${of.id} cannot be taken back: it was not one for flexible records when it was attached, or a legal hold was on the document since.`,
)

/**
 * Takes a rule for flexible records back, and with it the retention, whoever extended that. The document stays a record.
 * @throws privilegeMissing, noRuleAttached, notFlexible, retentionEnforced
 */
export async function detachRule(session: WriteSession, id: DocumentId): Promise<Document> {
  const subject = await readSubject(session, id)
  const { place, content } = subject
  if (isRecordManager(session.principal)) await requirePermission(session, place, 'Read')
  else await requireRightAt(session, place, content, 'UnsetRetention')
  if (!isUnderRule(content)) throw noRuleAttached({ id })
  if (findAttached(content)?.isFlexible !== true) throw notFlexible({ id })
  if (content.hasLegalHold || session.repository.rules.strictRetention) throw retentionEnforced({ id })
  return shownAt(session, subject, await setFree(session.asSystem(), content))
}

function setFree(system: WriteSession, content: Document): Promise<Document> {
  // Where its retention is over, or has not begun, only the rule is left to go.
  if (content.retainUntil === null) return store(system, content, withoutRule(system, content))
  return unsetRetention(system, content.id, (document) => withoutRule(system, document))
}

/** A legal hold is not laid on what could be set free: from then on the record is like any other. */
export const holdEndsFlexibility: InlineListener = {
  name: 'holdEndsFlexibility',
  when: 'inline',
  facet: recordFacet,
  events: ['beforeSetLegalHold'],
  handle({ document }) {
    if (!findAttached(document)?.isFlexible) return
    return { ...document, properties: { ...document.properties, [recordProperties.flexible]: false } }
  },
}
