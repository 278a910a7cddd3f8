import type { OperationServices } from '../../../automation/context.ts'
import type { Json } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { DirectoryDefinition } from '../../../core/directories/directory-definition.ts'
import { parseEntryValue } from '../../../core/directories/entry-value.ts'
import type { Field } from '../../../model/field.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { toldFields } from '../shown-fields.ts'

export const unknownDirectoryField = defineProblem(
  'unknownDirectoryField',
  'invalid',
  (of: { field: string; directory: string }) => `The directory ${of.directory} has no field ${of.field.slice(0, 100)}.`,
)

type Knowing = Pick<OperationServices, 'directories' | 'vendored'>

/** A field that can be asked about, by the name that clients know. @throws unknownDirectoryField */
export function readField({ directories, vendored }: Knowing, definition: DirectoryDefinition, name: string): Field {
  const field = toldFields({ directories, facts: { vendored } }, definition).get(name)
  if (field === undefined) throw unknownDirectoryField({ field: name, directory: definition.name })
  return field
}

/** The values that fields are to have, of the types that they are of, by the fields' own names. @throws unknownDirectoryField, invalidEntryValue */
export function parseFilters(
  services: Knowing,
  definition: DirectoryDefinition,
  filters: { readonly [field: string]: Json },
): { readonly [field: string]: PropertyValue } {
  const parsed = Object.entries(filters).map(([name, json]) => {
    const field = readField(services, definition, name)
    return [field.name, parseEntryValue(definition.name, field, json)] as const
  })
  return Object.fromEntries(parsed)
}
