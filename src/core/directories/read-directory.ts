import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../session.ts'
import type { DirectoryDefinition } from './directory-definition.ts'

export const directoryNotFound = defineProblem(
  'directoryNotFound',
  'notFound',
  (of: { directory: string }) => `Directory ${of.directory} was not found`,
)

/** @throws directoryNotFound */
export function readDirectory({ repository }: Pick<Session, 'repository'>, name: string): DirectoryDefinition {
  const definition = repository.directories.definitions.get(name)
  if (definition === undefined) throw directoryNotFound({ directory: name })
  return definition
}
