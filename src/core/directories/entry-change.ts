import type { Json } from '../../base/json.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import { hashPassword } from '../principals/password.ts'
import { type Directories, fieldsOf } from './directories.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { parseEntryValue } from './entry-value.ts'

/** Values for an entry, of the types that its schema has, with lists of references apart: they are not stored in it. */
export interface EntryChange {
  readonly values: { readonly [field: string]: PropertyValue }
  readonly references: { readonly [field: string]: readonly string[] }
}

/**
 * Reads the properties that were sent; those that the schema does not have are ignored. A password is hashed, which takes too long
 * for a transaction; a blank one means that it stays as it is, for that is how it is shown.
 * @throws invalidEntryValue
 */
export async function prepareEntryChange(
  directories: Pick<Directories, 'model'>,
  definition: DirectoryDefinition,
  properties: { readonly [field: string]: Json },
): Promise<EntryChange> {
  const change = parseEntryChange(directories, definition, properties)
  const { passwordField } = definition
  if (passwordField === undefined || !(passwordField in change.values)) return change
  const { [passwordField]: password = null, ...values } = change.values
  if (password === null) return change
  const isBlank = String(password).trim() === ''
  return { ...change, values: isBlank ? values : { ...values, [passwordField]: await hashPassword(String(password)) } }
}

/** The same but for the password, which is left as it was sent. @throws invalidEntryValue */
function parseEntryChange(
  directories: Pick<Directories, 'model'>,
  definition: DirectoryDefinition,
  properties: { readonly [field: string]: Json },
): EntryChange {
  const referring = new Set(definition.references.map(({ field }) => field))
  const values: { [field: string]: PropertyValue } = {}
  const references: { [field: string]: readonly string[] } = {}
  for (const field of fieldsOf(directories, definition)) {
    const sent = Object.hasOwn(properties, field.name) ? properties[field.name] : undefined
    if (sent === undefined || isCountedId(definition, field.name)) continue
    const value = parseEntryValue(definition.name, field, sent)
    if (referring.has(field.name)) references[field.name] = idsIn(value)
    else values[field.name] = value
  }
  return { values, references }
}

/** Whatever is sent, the store gives the number. */
function isCountedId({ autoincrementId, idField }: DirectoryDefinition, field: string): boolean {
  return autoincrementId && field === idField
}

function idsIn(value: PropertyValue): readonly string[] {
  if (!Array.isArray(value)) return []
  return [...new Set(value.filter((id): id is string => typeof id === 'string' && id !== ''))]
}
