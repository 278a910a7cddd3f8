import type { DirectoryDefinition } from '../../../core/directories/directory-definition.ts'
import { requireWritable } from '../../../core/directories/directory-rights.ts'
import { groupDirectory } from '../../../core/directories/people.ts'
import type { Session } from '../../../core/session.ts'

export function readGroupDirectory({ repository }: Session): DirectoryDefinition {
  const definition = repository.directories.definitions.get(groupDirectory)
  if (definition === undefined) throw new Error('There is no directory of groups.')
  return definition
}

/** @throws directoryReadOnly */
export function requireWritableGroups(session: Session): DirectoryDefinition {
  return requireWritable(readGroupDirectory(session))
}
