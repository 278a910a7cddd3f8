import { defineProblem } from '../../base/problem.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import type { WriteSession } from '../session.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { planLookup } from './search-entries.ts'

export const entryValueTaken = defineProblem(
  'entryValueTaken',
  'conflict',
  (of: { directory: string; field: string; value: string }) =>
    `Another entry of the directory ${of.directory} has the ${of.field} ${of.value.slice(0, 100)} already.`,
)

/** Of two writers who come at once one waits, and then finds what the other has written. @throws entryValueTaken */
export async function requireUniqueValues(
  { tx }: WriteSession,
  definition: DirectoryDefinition,
  values: DirectoryEntry['values'],
  ownId?: string,
): Promise<void> {
  const { name: directory, uniqueFields } = definition
  if (uniqueFields.length === 0) return
  await tx.directories.lock()
  for (const field of uniqueFields) {
    const value = values[field]
    if (typeof value !== 'string' || value === '') continue
    const { entries } = await tx.directories.search({ ...planLookup(definition, { [field]: value }), limit: 2 })
    if (entries.some(({ id }) => id !== ownId)) throw entryValueTaken({ directory, field, value })
  }
}
