import { type Document, isUnderRetentionOrHold } from '../model/document.ts'
import type { Session } from './session.ts'

/** Members remove what is kept. The server grants that to the name, whether there is such a group yet or not. */
export const recordCleanersGroup = 'PlatformRecordCleaners'

/** Members manage rules of retention and attach them anywhere they may read. The server grants that to the name, as above. */
export const recordManagersGroup = 'RecordManager'

/** Whether retention or hold keeps the document from being removed by the caller. */
export function isRetained(session: Session, document: Document): boolean {
  return isUnderRetentionOrHold(document, session.now) && !mayCleanRecords(session)
}

/** A group may remove what is kept, unless the server is set to strict retention. */
export function mayCleanRecords({ principal, repository: { rules } }: Session): boolean {
  return !rules.strictRetention && principal.names.has(rules.recordCleaners)
}
