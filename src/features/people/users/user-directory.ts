import type { DirectoryDefinition } from '../../../core/directories/directory-definition.ts'
import { requireWritable } from '../../../core/directories/directory-rights.ts'
import { userDirectory } from '../../../core/directories/people.ts'
import type { Session } from '../../../core/session.ts'
import type { DocumentSchema } from '../../../model/schema.ts'

/** Whatever knows the directories: a session, an exchange. */
interface Knowing {
  readonly repository: Pick<Session['repository'], 'directories'>
}

export function readUserDirectory({ repository }: Knowing): DirectoryDefinition {
  const definition = repository.directories.definitions.get(userDirectory)
  if (definition === undefined) throw new Error('There is no directory of users.')
  return definition
}

export function readUserSchema({ repository }: Knowing): DocumentSchema {
  const { model } = repository.directories
  const schema = model.schemas.get(readUserDirectory({ repository }).schema)
  if (schema === undefined) throw new Error('There is no schema of users.')
  return schema
}

/** @throws directoryReadOnly */
export function requireWritableUsers(session: Session): DirectoryDefinition {
  return requireWritable(readUserDirectory(session))
}
