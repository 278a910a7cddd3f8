import type { IsoDate } from '../../../base/iso-date.ts'
import { defineProblem } from '../../../base/problem.ts'
import { type Document, isUnderRetentionOrHold } from '../../../model/document.ts'
import { changedNames, isUnset, keepsBlobs, type PropertyValue } from '../../../model/properties/property.ts'
import { leastRetention } from '../../../model/retention.ts'

export const heldContentKept = defineProblem(
  'heldContentKept',
  'forbidden',
  (of: { id: string; property: string }) =>
    `${of.property} of ${of.id} holds what a legal hold keeps: it can be neither replaced nor removed before the hold is taken away.`,
)

/** What a note has instead of a file. */
const noteText = 'note:note'

/**
 * Of a document under legal hold: whatever describes it may change, and files may be added; those that it has stay, for all users and in
 * whichever way. @throws heldContentKept
 */
export function requireHeldContentKept(before: Document, after: Document): void {
  for (const property of changedNames(before.properties, after.properties)) {
    const isKept = keepsContent(property, before.properties[property] ?? null, after.properties[property] ?? null)
    if (!isKept) throw heldContentKept({ id: before.id, property })
  }
}

function keepsContent(property: string, before: PropertyValue, after: PropertyValue): boolean {
  return property === noteText ? isUnset(before) : keepsBlobs(before, after)
}

const recordContentKept = defineProblem(
  'recordContentKept',
  'forbidden',
  (of: { id: string }) => `The main file of record ${of.id} cannot be changed while it is under retention or legal hold.`,
)

const mainBlob = 'file:content'

const retentionRemembered = defineProblem(
  'retentionRemembered',
  'forbidden',
  (of: { id: string }) => `Until when ${of.id} was retained before cannot be changed: retention can be extended, not shortened.`,
)

/**
 * What describes a record may change while it is kept; what it records may not, nor until when it was retained before.
 * @throws recordContentKept, retentionRemembered
 */
export function requireWritableOnRecord(record: Document, changed: ReadonlySet<string>, now: IsoDate): void {
  if (changed.has(leastRetention)) throw retentionRemembered({ id: record.id })
  if (changed.has(mainBlob) && isUnderRetentionOrHold(record, now)) throw recordContentKept({ id: record.id })
}
