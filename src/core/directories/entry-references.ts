import type { DirectoryEntry, DirectoryReader, DirectoryWriter } from '../../store/directories.ts'
import type { Directories } from './directories.ts'
import type { DirectoryDefinition, DirectoryReference } from './directory-definition.ts'
import type { EntryChange } from './entry-change.ts'

/** The entry with the fields that stand for references to and from it. */
export async function withReferences(
  reader: DirectoryReader,
  { references }: DirectoryDefinition,
  entry: DirectoryEntry,
): Promise<DirectoryEntry> {
  if (references.length === 0) return entry
  const shown = await Promise.all(
    references.map(async (reference) => [reference.field, await listEnds(reader, reference, entry.id)] as const),
  )
  return { ...entry, values: { ...entry.values, ...Object.fromEntries(shown) } }
}

/** Makes the references of the fields that were given what was given. */
export async function replaceReferences(
  writer: DirectoryWriter,
  { references }: DirectoryDefinition,
  id: string,
  change: EntryChange['references'],
): Promise<void> {
  for (const reference of references) {
    const wanted = change[reference.field]
    if (wanted === undefined) continue
    if (reference.end === 'targets') await writer.replaceTargets(reference.reference, id, wanted)
    else await replaceSources(writer, reference.reference, id, wanted)
  }
}

/** Takes an entry that is gone out of all references of all directories in which it may stand. */
export async function dropReferences(
  writer: DirectoryWriter,
  { definitions }: Directories,
  directory: string,
  id: string,
): Promise<void> {
  for (const { name, references } of definitions.values()) {
    for (const { reference, end, directory: other } of references) {
      const isSource = (name === directory && end === 'targets') || (other === directory && end === 'sources')
      const isTarget = (name === directory && end === 'sources') || (other === directory && end === 'targets')
      if (isSource) await writer.replaceTargets(reference, id, [])
      if (isTarget) await writer.removeSources(reference, id)
    }
  }
}

function listEnds(reader: DirectoryReader, { reference, end }: DirectoryReference, id: string): Promise<readonly string[]> {
  return end === 'targets' ? reader.listTargets(reference, id) : reader.listSources(reference, id)
}

/** Others keep their order: what refers to the entry already is left alone. */
async function replaceSources(writer: DirectoryWriter, reference: string, id: string, wanted: readonly string[]): Promise<void> {
  const present = new Set(await writer.listSources(reference, id))
  const sources = new Set(wanted)
  for (const source of present.difference(sources)) await writer.removeTarget(reference, source, id)
  for (const source of sources.difference(present)) await writer.addTarget(reference, source, id)
}
