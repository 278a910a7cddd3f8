import type { Json } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { fieldsOf } from '../../../core/directories/directories.ts'
import type { DirectoryDefinition } from '../../../core/directories/directory-definition.ts'
import { parseEntryValue } from '../../../core/directories/entry-value.ts'
import type { Session } from '../../../core/session.ts'
import type { Field } from '../../../model/field.ts'
import type { PropertyValue } from '../../../model/property.ts'

export const unknownDirectoryField = defineProblem(
  'unknownDirectoryField',
  'invalid',
  (of: { field: string; directory: string }) => `The directory ${of.directory} has no field ${of.field.slice(0, 100)}.`,
)

/** A field that can be asked about. @throws unknownDirectoryField */
export function readField({ repository }: Session, definition: DirectoryDefinition, name: string): Field {
  const field = fieldsOf(repository.directories, definition).find((one) => one.name === name)
  if (field === undefined || name === definition.passwordField)
    throw unknownDirectoryField({ field: name, directory: definition.name })
  return field
}

/** The values that fields are to have, of the types that they are of. @throws unknownDirectoryField, invalidEntryValue */
export function parseFilters(
  session: Session,
  definition: DirectoryDefinition,
  filters: { readonly [field: string]: Json },
): { readonly [field: string]: PropertyValue } {
  const parsed = Object.entries(filters).map(([name, json]) => {
    const field = readField(session, definition, name)
    return [name, parseEntryValue(definition.name, field, json)] as const
  })
  return Object.fromEntries(parsed)
}
