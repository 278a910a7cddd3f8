import { defineProblem } from '../../base/problem.ts'
import { findUnstorable, shownName } from '../../core/directories/entry-id.ts'
import { principalIn } from '../../core/references.ts'
import { sanitisedText } from '../../model/properties/value-bounds.ts'
import { everyone, isTransient, systemUser } from '../../model/rights/principal.ts'

export const invalidPrincipalName = defineProblem(
  'invalidPrincipalName',
  'invalid',
  (of: { place: string; name: string; reason: string }) => `${of.place}: ${shownName(of.name)} ${of.reason}`,
)

/** For the name of a user or group that is to be. @throws invalidPrincipalName */
export function requireNewName(place: string, name: string): void {
  const reason = findUnstorable(name) ?? findUnaddressable(name) ?? findUnclear(name) ?? findReferring(name) ?? findReserved(name)
  if (reason !== undefined) throw invalidPrincipalName({ place, name, reason })
}

/** For a name that only refers to a user or group. @throws invalidPrincipalName */
export function requireStorableName(place: string, name: string): void {
  const reason = findUnstorable(name)
  if (reason !== undefined) throw invalidPrincipalName({ place, name, reason })
}

/** Names stand in addresses, where `..` leads elsewhere and `/@` to an adapter. */
function findUnaddressable(name: string): string | undefined {
  const steps = name.split('/')
  if (steps.some((step) => step === '.' || step === '..')) return 'holds a step . or .. that no address can hold. Leave it out.'
  if (steps.some((step) => step.startsWith('@')))
    return 'holds a step that begins with @, which addresses an adapter. Leave it out.'
  return undefined
}

/** Two names that look the same would let one pass for another. */
function findUnclear(name: string): string | undefined {
  if (name.normalize('NFC') !== name)
    return 'is not in Unicode normal form C, in which a text is written in one way only. Send it so.'
  // What joins the parts of an emoji does show.
  const text = name.replaceAll(/\p{RGI_Emoji}/gv, '')
  const isUnseen = sanitisedText(text) !== text || /\p{Default_Ignorable_Code_Point}/u.test(text)
  return isUnseen ? 'holds characters that cannot be seen. Leave them out.' : undefined
}

/** What is granted to `user:ann` is granted to `ann`, and so is what a task or a field says of it. */
function findReferring(name: string): string | undefined {
  return principalIn(name) === name
    ? undefined
    : 'begins with user: or group:, which only says what a name is of. Leave that out.'
}

/** Names that mean something else wherever the name of a user or group may stand. */
const reserved = new Map([
  [everyone, 'stands for all users'],
  [systemUser, 'is the server itself'],
  ['search', 'is where users and groups are searched'],
])

/** Rights are granted to names: a group with the name of an invited user would have theirs. */
function findReserved(name: string): string | undefined {
  const meaning = isTransient(name) ? 'is that of somebody without an account' : reserved.get(name)
  return meaning && `${meaning}. Choose another name.`
}
