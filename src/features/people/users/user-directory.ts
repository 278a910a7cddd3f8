import { defineProblem } from '../../../base/problem.ts'
import type { DirectoryDefinition } from '../../../core/directories/directory-definition.ts'
import { userDirectory } from '../../../core/directories/people.ts'
import type { Session } from '../../../core/session.ts'
import type { DocumentSchema } from '../../../model/schema.ts'

export const usersReadOnly = defineProblem('usersReadOnly', 'forbidden', (_: object) => 'Directory is read-only')

export function readUserDirectory({ repository }: Pick<Session, 'repository'>): DirectoryDefinition {
  const definition = repository.directories.definitions.get(userDirectory)
  if (definition === undefined) throw new Error('There is no directory of users.')
  return definition
}

export function readUserSchema({ repository }: Pick<Session, 'repository'>): DocumentSchema {
  const { model } = repository.directories
  const schema = model.schemas.get(readUserDirectory({ repository }).schema)
  if (schema === undefined) throw new Error('There is no schema of users.')
  return schema
}

/** @throws usersReadOnly */
export function requireWritableUsers(session: Session): DirectoryDefinition {
  const definition = readUserDirectory(session)
  if (definition.readOnly) throw usersReadOnly({})
  return definition
}
