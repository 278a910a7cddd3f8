import type { Json } from '../../base/json.ts'
import { Problem } from '../../base/problem.ts'
import type { Field } from '../../model/field.ts'
import { parseLong } from '../../model/properties/long.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import { defaultsOf } from './create-entry.ts'
import { type DataRow, nameOf } from './data-file.ts'
import { type Directories, directoryMistake, fieldsOf } from './directories.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { type EntryChange, prepareEntryChange } from './entry-change.ts'
import { requireNewEntryId } from './entry-id.ts'

/** An entry as a data file gives it. */
export interface DataEntry {
  readonly entry: DirectoryEntry
  readonly references: EntryChange['references']
}

/** The entry that a row means; an empty text is the field's default, and texts of a list are separated by `|`. @throws directoryMistake */
export async function parseDataRow(
  directories: Pick<Directories, 'model'>,
  definition: DirectoryDefinition,
  row: DataRow,
  number: number,
): Promise<DataEntry> {
  const { name: directory, idField, autoincrementId, dataFile } = definition
  try {
    const { values, references } = await prepareEntryChange(directories, definition, sentBy(directories, definition, row))
    const own = autoincrementId ? { [idField]: readNumber(row[idField], number) } : {}
    const all = { ...defaultsOf(directories, definition), ...values, ...own }
    return { entry: { id: requireNewEntryId(directory, all[idField]), values: all }, references }
  } catch (error) {
    if (!(error instanceof Problem) || directoryMistake.is(error)) throw error
    throw directoryMistake(
      { directory, reason: `has a mistake in row ${number} of ${nameOf(dataFile)}. ${error.message}` },
      { cause: error },
    )
  }
}

/** Counted entries that have no number are numbered as they stand there, so that later starts know them again. */
function readNumber(given: Json | undefined, number: number): PropertyValue {
  return (given === undefined || given === null ? undefined : parseLong(String(given))) ?? number
}

function sentBy(
  directories: Pick<Directories, 'model'>,
  definition: DirectoryDefinition,
  row: DataRow,
): { readonly [field: string]: Json } {
  const fields = new Map(fieldsOf(directories, definition).map((field) => [field.name, field]))
  const sent: { [field: string]: Json } = {}
  for (const [column, value] of Object.entries(row)) {
    const field = fields.get(column)
    if (field === undefined) {
      const reason = `has a data file with the column ${column}, which the schema ${definition.schema} does not have`
      throw directoryMistake({ directory: definition.name, reason })
    }
    if (value !== '') sent[column] = listed(field, value)
  }
  return sent
}

function listed({ type }: Field, value: Json): Json {
  return type.kind === 'list' && typeof value === 'string' ? value.split('|') : value
}
