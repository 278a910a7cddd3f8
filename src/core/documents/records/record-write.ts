import type { IsoDate } from '../../../base/iso-date.ts'
import { defineProblem } from '../../../base/problem.ts'
import { type Document, isUnderRetentionOrHold } from '../../../model/document.ts'

export const recordContentKept = defineProblem(
  'recordContentKept',
  'forbidden',
  (of: { id: string }) => `The main file of record ${of.id} cannot be changed while it is under retention or legal hold.`,
)

const mainBlob = 'file:content'

/** What describes a record may change while it is kept; what it records may not. @throws recordContentKept */
export function requireWritableOnRecord(record: Document, changed: ReadonlySet<string>, now: IsoDate): void {
  if (record.isRecord && changed.has(mainBlob) && isUnderRetentionOrHold(record, now)) throw recordContentKept({ id: record.id })
}
