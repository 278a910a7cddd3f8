import type { Directories } from '../../core/directories/directories.ts'
import { compareText } from '../../nxql/code-point-order.ts'
import { listNames } from '../../rest/paging.ts'

const systemType = 'system'

/** The directories that people see, by name; with types given, those that have one of them. */
export function writeDirectories({ definitions }: Directories, query: URLSearchParams): object {
  const wanted = listNames(query, 'types')
  const shown = [...definitions.values()]
    .filter(({ types }) => !types.includes(systemType))
    .filter(({ types }) => wanted.length === 0 || types.some((type) => wanted.includes(type)))
    .sort((one, other) => compareText(one.name, other.name))
  return {
    'entity-type': 'directories',
    entries: shown.map(({ name, schema, idField, parentDirectory = null }) => ({
      'entity-type': 'directory',
      name,
      schema,
      idField,
      parent: parentDirectory,
    })),
  }
}
