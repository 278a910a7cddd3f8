import { defineProblem } from '../../base/problem.ts'
import type { WriteSession } from '../session.ts'
import { fieldsOf } from './directories.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { requireDirectoryEditor } from './directory-rights.ts'
import { entryNotFound } from './find-entry.ts'
import { storedEntry } from './stored-entry.ts'

export const directoryWithoutOrder = defineProblem(
  'directoryWithoutOrder',
  'invalid',
  (of: { directory: string }) =>
    `Entries of the directory ${of.directory} have no field ordering: they stand in the order of their ids.`,
)

const orderField = 'ordering'
// Room to put another one between two.
const step = 10

/**
 * For a session where directories live. Gives the entries numbers in the order of the ids; all others keep theirs, and new ones stand behind.
 * @throws notADirectoryEditor, peopleDirectoryClosed, directoryReadOnly, directoryWithoutOrder, entryNotFound
 */
export async function orderEntries(
  session: WriteSession,
  definition: DirectoryDefinition,
  ids: readonly string[],
): Promise<void> {
  requireDirectoryEditor(session.principal, definition)
  const { name: directory } = definition
  const hasOrder = fieldsOf(session.repository.directories, definition).some(
    ({ name, type }) => name === orderField && type.kind === 'long',
  )
  if (!hasOrder) throw directoryWithoutOrder({ directory })
  const { directories } = session.tx
  await directories.lock()
  const entries = new Map((await directories.findAll(directory, ids)).map((entry) => [entry.id, entry]))
  for (const [index, id] of ids.entries()) {
    const entry = entries.get(id)
    if (entry === undefined) throw entryNotFound({ directory, id })
    const number = (index + 1) * step
    if (entry.values[orderField] === number) continue
    await directories.update(directory, storedEntry(definition, { id, values: { ...entry.values, [orderField]: number } }))
  }
}
