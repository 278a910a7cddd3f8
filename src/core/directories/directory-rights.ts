import { defineProblem } from '../../base/problem.ts'
import type { Principal } from '../../model/rights/principal.ts'
import { isPowerUser } from '../principals/power-users.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { groupDirectory, userDirectory } from './people.ts'

export const notADirectoryEditor = defineProblem(
  'notADirectoryEditor',
  'forbidden',
  (_: { directory: string; principal: string }) => 'Not allowed to edit directory',
)

export const peopleDirectoryClosed = defineProblem(
  'peopleDirectoryClosed',
  'invalid',
  (_: { directory: string }) => 'Not allowed to edit user/group directories, please use user/group endpoints',
)

export const directoryReadOnly = defineProblem(
  'directoryReadOnly',
  'forbidden',
  (_: { directory: string }) => 'Directory is read-only',
)

/** To a user without the right the directory looks empty. */
export function canReadDirectory(principal: Principal, { permissions }: DirectoryDefinition): boolean {
  if (permissions === undefined || principal.isAdministrator) return true
  return isNamed(principal, permissions.read) || isNamed(principal, permissions.write)
}

/** @throws notADirectoryEditor, peopleDirectoryClosed, directoryReadOnly */
export function requireDirectoryEditor(principal: Principal, definition: DirectoryDefinition): void {
  const { name: directory, permissions } = definition
  requireDirectoryKeeper(principal, definition)
  if (directory === userDirectory || directory === groupDirectory) throw peopleDirectoryClosed({ directory })
  requireWritable(definition)
  const isListed = permissions === undefined || isNamed(principal, permissions.write)
  if (!principal.isAdministrator && !isListed) throw notADirectoryEditor({ directory, principal: principal.name })
}

/** For who looks after directories at all, whatever can be done to this one. @throws notADirectoryEditor */
export function requireDirectoryKeeper(principal: Principal, { name: directory }: DirectoryDefinition): void {
  if (!isPowerUser(principal)) throw notADirectoryEditor({ directory, principal: principal.name })
}

/** @throws directoryReadOnly */
export function requireWritable(definition: DirectoryDefinition): DirectoryDefinition {
  if (definition.readOnly) throw directoryReadOnly({ directory: definition.name })
  return definition
}

function isNamed({ names }: Principal, listed: readonly string[]): boolean {
  return listed.some((name) => names.has(name))
}
