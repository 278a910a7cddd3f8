import { stringifyJson } from '../../../base/json.ts'
import type { Directories } from '../../../core/directories/directories.ts'
import type { DirectoryDefinition } from '../../../core/directories/directory-definition.ts'
import type { DirectoryEntry } from '../../../store/directories.ts'
import type { SnapshotDirectories } from '../../../store/snapshot.ts'
import { archivedProperties } from '../format/archived-files.ts'

const atOnce = 200

/** Users with the digests of their passwords, groups with their members, and the entries of all other directories, a line each. */
export async function* everyEntryLine(
  { definitions }: Pick<Directories, 'definitions'>,
  reader: SnapshotDirectories,
): AsyncGenerator<readonly string[]> {
  for (const definition of [...definitions.values()].sort(byName)) {
    for (let after = ''; ; ) {
      const page = await reader.listAfter(definition.name, after, atOnce)
      const last = page.at(-1)
      if (last === undefined) break
      const lines: string[] = []
      for (const entry of page) lines.push(await lineOf(definition, reader, entry))
      yield lines
      after = last.id
    }
  }
}

const byName = (left: DirectoryDefinition, right: DirectoryDefinition) => (left.name < right.name ? -1 : 1)

/** A reference is told at the end that it begins at. */
async function lineOf(
  { name, references }: DirectoryDefinition,
  reader: SnapshotDirectories,
  { id, values }: DirectoryEntry,
): Promise<string> {
  const own = references.filter(({ end }) => end === 'targets')
  const named = await Promise.all(
    own.map(async ({ field, reference }) => [field, await reader.listTargets(reference, id)] as const),
  )
  const referred = named.filter(([, ids]) => ids.length > 0)
  return stringifyJson({
    'entity-type': 'directoryEntry',
    directoryName: name,
    id,
    properties: archivedProperties(values),
    ...(referred.length > 0 && { references: Object.fromEntries(referred) }),
  })
}
