import { defineProblem } from '../../base/problem.ts'
import { longestTerm } from '../../store/directory-terms.ts'

export const invalidPrincipalName = defineProblem(
  'invalidPrincipalName',
  'invalid',
  (of: { place: string; name: string; reason: string }) => `${of.place}: ${shortened(of.name)} ${of.reason}`,
)

/** For the name of a user or group that is to be. @throws invalidPrincipalName */
export function requireNewName(place: string, name: string): void {
  const reason = findUnstorable(name) ?? findUnaddressable(name)
  if (reason !== undefined) throw invalidPrincipalName({ place, name, reason })
}

/** For a name that only refers to a user or group. @throws invalidPrincipalName */
export function requireStorableName(place: string, name: string): void {
  const reason = findUnstorable(name)
  if (reason !== undefined) throw invalidPrincipalName({ place, name, reason })
}

function findUnstorable(name: string): string | undefined {
  if (name.length > longestTerm) return `has ${name.length} characters. Use at most ${longestTerm}.`
  return /\p{Cc}|\p{Surrogate}/u.test(name) ? 'holds a control character. Leave it out.' : undefined
}

/** Names stand in addresses, where `..` leads elsewhere and `/@` to an adapter. */
function findUnaddressable(name: string): string | undefined {
  const steps = name.split('/')
  if (steps.some((step) => step === '.' || step === '..')) return 'holds a step . or .. that no address can hold. Leave it out.'
  if (steps.some((step) => step.startsWith('@')))
    return 'holds a step that begins with @, which addresses an adapter. Leave it out.'
  return undefined
}

function shortened(name: string): string {
  const printable = name.toWellFormed().replaceAll(/\p{Cc}/gu, '\ufffd')
  return JSON.stringify(printable.length > 40 ? `${printable.slice(0, 40)}…` : printable)
}
