import type { VendorIdentifiers } from '../../base/vendor.ts'
import { fieldsOf } from '../../core/directories/directories.ts'
import type { DirectoryDefinition } from '../../core/directories/directory-definition.ts'
import { type Field, shownName } from '../../model/field.ts'
import type { Services } from '../../rest/services.ts'

/** The fields of a directory by the names that clients know them by. */
export function shownFields(
  { directories, facts }: Pick<Services, 'directories'> & { readonly facts: { readonly vendored: VendorIdentifiers } },
  definition: DirectoryDefinition,
): ReadonlyMap<string, Field> {
  return new Map(fieldsOf(directories, definition).map((field) => [shownName(field, facts.vendored), field]))
}
