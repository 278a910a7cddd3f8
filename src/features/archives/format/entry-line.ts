import type { DirectoryEntry } from '../../../store/directories.ts'
import { propertiesOfArchived } from './archived-files.ts'
import { readFields } from './line-fields.ts'

/** An entry of a directory as it stands in an archive. */
export interface ArchivedEntry extends DirectoryEntry {
  readonly directory: string
  readonly references: { readonly [field: string]: readonly string[] }
}

/** @throws archiveDamaged with the name and the number of the line */
export function readEntry(text: string, place: string): ArchivedEntry {
  const line = readFields(text, place)
  const references = line.findFields('references')
  return {
    directory: line.text('directoryName'),
    id: line.text('id'),
    values: propertiesOfArchived(line.object('properties')),
    references:
      references === undefined ? {} : Object.fromEntries(references.names().map((name) => [name, references.texts(name)])),
  }
}
