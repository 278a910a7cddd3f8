import { defineProblem } from '../../base/problem.ts'
import type { Field } from '../../model/field.ts'
import type { Model } from '../../model/model.ts'
import type { Store } from '../../store/store.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { findDirectoryMistake } from './directory-mistake.ts'

/** The directories of the server, in the store of its first repository. */
export interface Directories {
  readonly definitions: ReadonlyMap<string, DirectoryDefinition>
  readonly store: Store
  readonly model: Model
}

export const directoryMistake = defineProblem(
  'directoryMistake',
  'invalid',
  (of: { directory: string; reason: string }) => `directory ${of.directory} ${of.reason}`,
)

/** @throws directoryMistake */
export function createDirectories(definitions: readonly DirectoryDefinition[], store: Store, model: Model): Directories {
  const given = new Map(definitions.map((definition) => [definition.name, definition]))
  for (const definition of definitions) {
    const { name: directory } = definition
    const reason = given.get(directory) === definition ? findDirectoryMistake(definition, given, model) : 'is defined twice'
    if (reason !== undefined) throw directoryMistake({ directory, reason })
  }
  const complete = definitions.map((definition) => searchedByLabels(definition, fieldsOf({ model }, definition)))
  return { definitions: new Map(complete.map((definition) => [definition.name, definition])), store, model }
}

/** What the entries of a directory hold. */
export function fieldsOf({ model }: Pick<Directories, 'model'>, { schema }: DirectoryDefinition): readonly Field[] {
  return model.schemas.get(schema)?.fields ?? []
}

/** A vocabulary that does not say how it is searched is so by its labels: `label`, or `label_en` and `label_fr`. */
function searchedByLabels(definition: DirectoryDefinition, fields: readonly Field[]): DirectoryDefinition {
  if (definition.searchFields.length > 0) return definition
  const labels = fields.filter(({ name, type }) => type.kind === 'string' && /^label(_|$)/.test(name))
  return { ...definition, searchFields: labels.map(({ name }) => name) }
}
