import type { Field, FieldType } from '../../model/field.ts'
import { isBlobValue, isComplexValue, type PropertyValue } from '../../model/properties/property.ts'
import type { BlobWriter } from './blob-json.ts'

/** Writes a value as answers show it: nothing missing, what is unset as null, `[]` or an object of nulls. */
export type PropertyWriter = (value: PropertyValue | undefined, writeBlob: BlobWriter, xpath: string) => unknown

/** Made once for a field; the decisions about its type are not taken again for each value. */
export function propertyWriter({ type, defaultValue }: Field): PropertyWriter {
  const write = typeWriter(type)
  if (defaultValue === null) return write
  return (value, writeBlob, xpath) => write(value ?? defaultValue, writeBlob, xpath)
}

/** The value with everything filled in that reading it shows, so that two values compare as a client sees them. */
export function filledValue(field: Field, value: PropertyValue | undefined): PropertyValue {
  return propertyWriter(field)(value, (blob) => blob, field.name) as PropertyValue
}

function typeWriter(type: FieldType): PropertyWriter {
  switch (type.kind) {
    case 'complex':
      return complexWriter(type.fields)
    case 'list':
      return listWriter(type.item.type)
    case 'blob':
      return (value, writeBlob, xpath) => (isBlobValue(value) ? writeBlob(value, xpath) : null)
    case 'long':
      // A field that once held fractions shows what is left of them without.
      return (value) => (typeof value === 'number' ? Math.trunc(value) : (value ?? null))
    default:
      return (value) => value ?? null
  }
}

function complexWriter(fields: readonly Field[]): PropertyWriter {
  const members = fields.map(({ name, type, defaultValue }) => ({ name, write: typeWriter(type), defaultValue }))
  return (value, writeBlob, xpath) => {
    const stored = isComplexValue(value) ? value : {}
    const shown: { [name: string]: unknown } = {}
    for (const { name, write, defaultValue } of members) {
      const member = stored[name]
      // An explicit null stays; only what was never set reads as its default.
      shown[name] = write(member === undefined ? defaultValue : member, writeBlob, `${xpath}/${name}`)
    }
    return shown
  }
}

function listWriter(item: FieldType): PropertyWriter {
  const isPlain = item.kind !== 'complex' && item.kind !== 'list' && item.kind !== 'blob' && item.kind !== 'long'
  if (isPlain) return (value) => (Array.isArray(value) ? value : [])
  const write = typeWriter(item)
  return (value, writeBlob, xpath) =>
    Array.isArray(value) ? value.map((one: PropertyValue, index) => write(one, writeBlob, `${xpath}/${index}`)) : []
}
