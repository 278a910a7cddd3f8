import { defineProblem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { Field } from '../../model/field.ts'
import type { Model } from '../../model/model.ts'
import type { PropertyValue } from '../../model/property.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { CsvRow } from './csv.ts'
import { readDataRows } from './data-file.ts'
import type { DirectoryDefinition } from './directory-definition.ts'

/** The directories of the server, kept in the store of its first repository. */
export interface Directories {
  readonly definitions: ReadonlyMap<string, DirectoryDefinition>
  readonly store: Store
  readonly model: Model
}

export const directoryMistake = defineProblem(
  'directoryMistake',
  'invalid',
  (of: { directory: string; reason: string }) => `directory ${of.directory}: ${of.reason}`,
)

export function createDirectories(definitions: readonly DirectoryDefinition[], store: Store, model: Model): Directories {
  const byName = new Map<string, DirectoryDefinition>()
  for (const definition of definitions) {
    const { name: directory, schema } = definition
    if (byName.has(directory)) throw directoryMistake({ directory, reason: 'is defined twice' })
    if (!model.schemas.has(schema)) throw directoryMistake({ directory, reason: `names the unknown schema ${schema}` })
    byName.set(directory, definition)
  }
  return { definitions: byName, store, model }
}

/** Fills new directories from their data files, and older ones as their loading policy says. */
export async function loadDataFiles(directories: Directories, vendored: VendorIdentifiers): Promise<void> {
  for (const definition of directories.definitions.values()) {
    if (definition.dataFile === undefined) continue
    const isNew = !(await directories.store.reader.directories.hasEntries(definition.name))
    if (!isNew && definition.loading === 'neverLoad') continue
    const rows = await readDataRows(definition.dataFile, vendored)
    const entries = rows.map((row) => entryFrom(directories, definition, row))
    await directories.store.transact(async (tx) => {
      for (const entry of entries) await loadEntry(tx, definition, entry)
    })
  }
}

async function loadEntry(tx: Transaction, { name, loading }: DirectoryDefinition, entry: DirectoryEntry): Promise<void> {
  if (await tx.directories.insert(name, entry)) return
  if (loading === 'errorOnDuplicate')
    throw directoryMistake({ directory: name, reason: `its data file repeats the entry ${entry.id}` })
  if (loading === 'updateDuplicate') await tx.directories.update(name, entry)
}

function entryFrom({ model }: Directories, definition: DirectoryDefinition, row: CsvRow): DirectoryEntry {
  const values: { [field: string]: PropertyValue } = {}
  for (const field of model.schemas.get(definition.schema)?.fields ?? []) {
    values[field.name] = valueFrom(definition, field, row[field.name] ?? '')
  }
  return { id: row[definition.idField] ?? '', values }
}

/** The text of a data file as the field's type; empty text is the field's default. */
function valueFrom({ name: directory }: DirectoryDefinition, field: Field, text: string): PropertyValue {
  if (text === '') return field.defaultValue
  if (field.type.kind === 'boolean') return text === 'true'
  if (field.type.kind !== 'long' && field.type.kind !== 'double') return text
  const number = Number(text)
  if (Number.isNaN(number)) throw directoryMistake({ directory, reason: `${text} is no number for the field ${field.name}` })
  return number
}
