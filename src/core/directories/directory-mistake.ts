import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Field } from '../../model/field.ts'
import type { Model } from '../../model/model.ts'
import { findDataFileMistake } from './data-file.ts'
import type { DirectoryDefinition, DirectoryReference } from './directory-definition.ts'

type Definitions = ReadonlyMap<string, DirectoryDefinition>
type Fields = ReadonlyMap<string, Field>

/** What is wrong with a definition, beside the other directories and the schemas of the server; undefined when nothing is. */
export function findDirectoryMistake(definition: DirectoryDefinition, all: Definitions, model: Model): string | undefined {
  const { name, schema, querySizeLimit } = definition
  if (name === '' || /[/@?#]/.test(name)) return 'has a name that no address can hold'
  if (!model.schemas.has(schema)) return `names the unknown schema ${schema}`
  if (!Number.isInteger(querySizeLimit) || querySizeLimit < 0)
    return `has the querySizeLimit ${querySizeLimit}, which is no number of entries`
  const fields = fieldsByName(model, schema)
  return (
    (definition.dataFile === undefined ? undefined : findDataFileMistake(definition.dataFile)) ??
    findLabelsMistake(definition) ??
    findBlob(fields) ??
    findIdMistake(definition, fields) ??
    findTextMistake(definition, fields) ??
    findParentMistake(definition, all, fields) ??
    findConstraintMistake(definition, all, model) ??
    findReferenceMistake(definition, all, fields)
  )
}

function fieldsByName(model: Model, schema: string): Fields {
  return new Map(model.schemas.get(schema)?.fields.map((field) => [field.name, field]))
}

function findLabelsMistake({ labels }: DirectoryDefinition): string | undefined {
  if (labels === undefined || typeof labels === 'function' || existsSync(labels)) return undefined
  return `has its labels in ${fileURLToPath(labels)}, which does not exist`
}

function findBlob(fields: Fields): string | undefined {
  for (const { name, type } of fields.values())
    if (type.kind === 'blob') return `has the field ${name} of its schema for files, which no entry holds`
  return undefined
}

function findIdMistake({ idField, autoincrementId }: DirectoryDefinition, fields: Fields): string | undefined {
  const kind = fields.get(idField)?.type.kind
  if (kind === undefined) return `has the idField ${idField}, which its schema does not have`
  if (autoincrementId && kind !== 'long') return `counts its ids, for which the field ${idField} must be a long`
  return kind === 'string' || kind === 'long' ? undefined : `has the idField ${idField}, which is neither a string nor a long`
}

/** Fields that are searched, looked up by or kept secret are texts. */
function findTextMistake(definition: DirectoryDefinition, fields: Fields): string | undefined {
  const { passwordField, searchFields, indexedFields, uniqueFields } = definition
  const used = { searchFields, indexedFields, passwordField: passwordField === undefined ? [] : [passwordField] }
  for (const [use, names] of Object.entries(used)) {
    const wrong = names.find((name) => fields.get(name)?.type.kind !== 'string')
    if (wrong !== undefined) return `names ${wrong} in ${use}, which is no string of its schema`
  }
  const unindexed = uniqueFields.find((name) => !indexedFields.includes(name))
  if (unindexed !== undefined) return `names ${unindexed} in uniqueFields, but not in indexedFields`
  if (passwordField !== undefined && [...searchFields, ...indexedFields].includes(passwordField))
    return 'lets its password be searched'
  return undefined
}

function findParentMistake({ parentDirectory }: DirectoryDefinition, all: Definitions, fields: Fields): string | undefined {
  if (parentDirectory === undefined) return undefined
  if (!all.has(parentDirectory)) return `has the unknown parentDirectory ${parentDirectory}`
  return fields.has('parent') ? undefined : 'has a parentDirectory, but its schema has no field parent'
}

function findConstraintMistake({ deleteConstraints }: DirectoryDefinition, all: Definitions, model: Model): string | undefined {
  for (const { directory, field } of deleteConstraints) {
    const constraining = all.get(directory)
    if (constraining === undefined) return `has a delete constraint on the unknown directory ${directory}`
    if (!fieldsByName(model, constraining.schema).has(field))
      return `has a delete constraint on the field ${field}, which the directory ${directory} does not have`
  }
  return undefined
}

function findReferenceMistake(
  { references, idField }: DirectoryDefinition,
  all: Definitions,
  fields: Fields,
): string | undefined {
  const named = new Set<string>()
  for (const { field, directory } of references) {
    if (!isTextList(fields.get(field))) return `has a reference in the field ${field}, which is no list of strings of its schema`
    if (!all.has(directory)) return `has a reference to the unknown directory ${directory}`
    if (named.has(field) || field === idField) return `has two uses for the field ${field}`
    named.add(field)
  }
  return findEndMistake(references)
}

function isTextList(field: Field | undefined): boolean {
  return field?.type.kind === 'list' && field.type.item.type.kind === 'string'
}

function findEndMistake(references: readonly DirectoryReference[]): string | undefined {
  const shown = new Set<string>()
  for (const { reference, end } of references) {
    if (shown.has(`${end} ${reference}`)) return `shows the ${end} of the reference ${reference} in two fields`
    shown.add(`${end} ${reference}`)
  }
  return undefined
}
