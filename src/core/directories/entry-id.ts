import { defineProblem } from '../../base/problem.ts'
import { shortened } from '../../base/shortened.ts'
import type { Field } from '../../model/field.ts'
import { parseLong } from '../../model/properties/long.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import { longestTerm } from '../../store/directory-terms.ts'

export const entryIdMissing = defineProblem('entryIdMissing', 'invalid', (_: { directory: string }) => 'Missing id')

export const invalidEntryId = defineProblem(
  'invalidEntryId',
  'invalid',
  (of: { id: string; reason: string }) => `The id ${shownName(of.id)} ${of.reason}`,
)

/** The id of an entry that is to be, from the value of its id field. @throws entryIdMissing, invalidEntryId */
export function requireNewEntryId(directory: string, value: PropertyValue | undefined): string {
  const id = value === undefined || value === null ? '' : String(value)
  if (id.trim() === '') throw entryIdMissing({ directory })
  const reason = findIdMistake(id)
  if (reason !== undefined) throw invalidEntryId({ id, reason })
  return id
}

/** How an id stands in a field; undefined when the field can hold no such value. */
export function findIdValue({ type }: Field, id: string): PropertyValue | undefined {
  return type.kind === 'long' ? parseLong(id) : id
}

/** Ids stand in addresses, where a step `..` leads elsewhere and `/@` to an adapter. */
function findIdMistake(id: string): string | undefined {
  const unstorable = findUnstorable(id)
  if (unstorable !== undefined) return unstorable
  const step = id.split('/').find((one) => one === '.' || one === '..' || one.startsWith('@'))
  return step === undefined ? undefined : `holds the step ${step}, which no address can hold. Leave it out.`
}

/** Why the store takes no such id, or name of a user or group; undefined when it does. */
export function findUnstorable(name: string): string | undefined {
  if (name.length > longestTerm) return `has ${name.length} characters. Use at most ${longestTerm}.`
  return /\p{Cc}|\p{Surrogate}/u.test(name) ? 'holds a control character. Leave it out.' : undefined
}

/** The beginning of a name that was refused, with nothing in it that cannot be shown. */
export function shownName(name: string): string {
  const printable = name.toWellFormed().replaceAll(/\p{Cc}/gu, '\ufffd')
  return JSON.stringify(shortened(printable, 40))
}
