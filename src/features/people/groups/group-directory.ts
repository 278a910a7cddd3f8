import { defineProblem } from '../../../base/problem.ts'
import type { DirectoryDefinition } from '../../../core/directories/directory-definition.ts'
import { groupDirectory } from '../../../core/directories/people.ts'
import type { Session } from '../../../core/session.ts'

export const groupsReadOnly = defineProblem('groupsReadOnly', 'forbidden', (_: object) => 'Directory is read-only')

export function readGroupDirectory({ repository }: Session): DirectoryDefinition {
  const definition = repository.directories.definitions.get(groupDirectory)
  if (definition === undefined) throw new Error('There is no directory of groups.')
  return definition
}

/** @throws groupsReadOnly */
export function requireWritableGroups(session: Session): DirectoryDefinition {
  const definition = readGroupDirectory(session)
  if (definition.readOnly) throw groupsReadOnly({})
  return definition
}
