import { defineProblem } from '../../base/problem.ts'
import { everyone, isTransient, systemUser } from '../../model/principal.ts'
import { sanitisedText } from '../../model/sanitise.ts'
import { invalidPrincipalName, requireNewName } from './principal-name.ts'

export const userWithoutName = defineProblem('userWithoutName', 'invalid', (_: object) => 'User MUST have a name')

/** Names that mean something else wherever the name of a user may stand. */
const reserved: { readonly [name: string]: string } = {
  [everyone]: 'stands for all users',
  [systemUser]: 'is the server itself',
  search: 'is where users are searched',
}

/** For the name of a user that is to be. @throws userWithoutName, invalidPrincipalName */
export function requireUserName(name: string): void {
  if (name === '') throw userWithoutName({})
  requireNewName('The user name', name)
  const reason = findUnclear(name) ?? findReserved(name)
  if (reason !== undefined) throw invalidPrincipalName({ place: 'The user name', name, reason })
}

/** Two names that look the same would let somebody pass for another. */
function findUnclear(name: string): string | undefined {
  return sanitisedText(name) === name ? undefined : 'holds characters that cannot be seen. Leave them out.'
}

function findReserved(name: string): string | undefined {
  const meaning = isTransient(name) ? 'is that of somebody without an account' : reserved[name]
  return meaning && `${meaning}. Choose another.`
}
