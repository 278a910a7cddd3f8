import type { VendorIdentifiers } from '../../base/vendor.ts'
import { fieldsOf } from '../../core/directories/directories.ts'
import type { DirectoryDefinition } from '../../core/directories/directory-definition.ts'
import { type Field, shownName } from '../../model/field.ts'
import type { Services } from '../../rest/services.ts'

type Knowing = Pick<Services, 'directories'> & { readonly facts: { readonly vendored: VendorIdentifiers } }

/** The fields of a directory by the names that clients know them by. */
export function shownFields({ directories, facts }: Knowing, definition: DirectoryDefinition): ReadonlyMap<string, Field> {
  return new Map(fieldsOf(directories, definition).map((field) => [shownName(field, facts.vendored), field]))
}

/** Those whose values are told, and can be asked for and ordered by: all but the password. */
export function toldFields(knowing: Knowing, definition: DirectoryDefinition): ReadonlyMap<string, Field> {
  return new Map([...shownFields(knowing, definition)].filter(([, { name }]) => name !== definition.passwordField))
}
