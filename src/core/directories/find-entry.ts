import { defineProblem } from '../../base/problem.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import type { Session } from '../session.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { canReadDirectory } from './directory-rights.ts'
import { withReferences } from './entry-references.ts'
import { withoutPassword } from './stored-entry.ts'

export const entryNotFound = defineProblem(
  'entryNotFound',
  'notFound',
  (_: { directory: string; id: string }) => 'Entry not found',
)

/** For a session where directories live, without the password. A user who may not read the directory finds nothing in it. */
export async function findEntry(
  session: Session,
  definition: DirectoryDefinition,
  id: string,
): Promise<DirectoryEntry | undefined> {
  if (!canReadDirectory(session.principal, definition)) return undefined
  const { directories } = session.reader
  const entry = await directories.find(definition.name, id)
  return entry && withReferences(directories, definition, withoutPassword(definition, entry))
}

/** @throws entryNotFound */
export async function readEntry(session: Session, definition: DirectoryDefinition, id: string): Promise<DirectoryEntry> {
  const entry = await findEntry(session, definition, id)
  if (entry === undefined) throw entryNotFound({ directory: definition.name, id })
  return entry
}
