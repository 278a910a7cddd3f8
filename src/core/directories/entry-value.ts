import type { Json } from '../../base/json.ts'
import { isJsonObject } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { shortened } from '../../base/shortened.ts'
import type { Field, FieldType } from '../../model/field.ts'
import { type CoercionHooks, coerceProperty, type JsonObject, notDeserialisable } from '../../model/properties/coercion.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import type { DocumentSchema } from '../../model/schema.ts'

export const invalidEntryValue = defineProblem(
  'invalidEntryValue',
  'invalid',
  (of: { directory: string; field: string; expected: string; sent: string }) =>
    `The property ${of.field} of the directory ${of.directory} takes ${of.expected}, not ${of.sent}.`,
)

const expectations: { readonly [Kind in FieldType['kind']]: string } = {
  string: 'a text',
  long: 'a whole number',
  double: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2024-03-01T10:15:30Z',
  binary: 'bytes in base64',
  list: 'a list whose items have the right type',
  complex: 'an object whose members have the right types',
  blob: 'nothing',
}

/** Files are not stored in directories, and what stands for an entry is its id. */
const hooks: CoercionHooks = {
  blob: () => undefined,
  reference: (json) => findEntryId(json),
  emptyStringIsNull: false,
}

/** The typed value that was meant: numbers, dates and booleans may come as text, an entry for its id. @throws invalidEntryValue */
export function parseEntryValue(directory: string, field: Field, json: Json): PropertyValue {
  const definition = { name: field.name, schema: noSchema, field, isSecured: false }
  try {
    return coerceProperty(definition, prepared(field.type, json), hooks)
  } catch (error) {
    if (!notDeserialisable.is(error)) throw error
    const expected = expectations[field.type.kind]
    throw invalidEntryValue({ directory, field: field.name, expected, sent: shown(json) }, { cause: error })
  }
}

const noSchema: DocumentSchema = { name: '', fields: [], writableOnVersions: false, removed: {}, secured: [], html: [] }

function prepared({ kind }: FieldType, json: Json): Json {
  if (kind === 'string' && isJsonObject(json)) return findEntryId(json) ?? json
  return kind === 'date' && typeof json === 'string' ? json.replace(blankBeforeTime, '$1T') : json
}

/** Else the time would count for nothing, as in documents. */
const blankBeforeTime = /^(\s*\d{4}-\d{1,2}-\d{1,2}) (?=\d{1,2}:)/

/** Of an entry that was fetched and is sent back. */
export function findEntryId(json: JsonObject): string | undefined {
  const { id } = json
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined
}

function shown(json: Json): string {
  if (Array.isArray(json)) return 'a list'
  if (isJsonObject(json)) return 'an object'
  const text = typeof json === 'string' ? JSON.stringify(json.toWellFormed()) : String(json)
  return shortened(text, 60)
}
