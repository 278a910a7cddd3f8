import type { OperationServices } from '../../../automation/context.ts'
import type { DirectoryDefinition } from '../../../core/directories/directory-definition.ts'
import type { DirectoryEntry } from '../../../store/directories.ts'
import { toldFields } from '../shown-fields.ts'

type Values = { readonly [field: string]: unknown }

/** What an entry holds, by the names that clients know, without its password. */
export function shownValues(
  { directories, vendored }: Pick<OperationServices, 'directories' | 'vendored'>,
  definition: DirectoryDefinition,
  { values }: DirectoryEntry,
): Values {
  const fields = [...toldFields({ directories, facts: { vendored } }, definition)]
  return Object.fromEntries(
    fields.map(([name, field]) => [name, Object.hasOwn(values, field.name) ? values[field.name] : field.defaultValue]),
  )
}

/** The same without what is not there. */
export function givenValues(...entry: Parameters<typeof shownValues>): Values {
  return Object.fromEntries(Object.entries(shownValues(...entry)).filter(([, value]) => value !== null && value !== undefined))
}
