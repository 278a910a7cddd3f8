import type { Document } from '../../model/document.ts'
import type { FieldType } from '../../model/field.ts'
import { type BlobValue, isBlobValue, isComplexValue, type PropertyValue } from '../../model/properties/property.ts'
import { nothing, type Value } from '../values/value.ts'
import { boolean, list, number, text } from './operand.ts'

interface Place {
  readonly document: Document
  readonly xpath: string
}

/** What a document holds at a place, by the type of the field. */
export function valueOfProperty(type: FieldType, value: PropertyValue, place: Place): Value {
  if (value === null) return nothing
  switch (type.kind) {
    case 'blob':
      return isBlobValue(value) ? blobValue(value, place) : nothing
    case 'list':
      return listValue(type.item.type, value, place)
    case 'complex':
      return complexValue(type, value, place)
    case 'date':
      return { kind: 'date', date: String(value) }
    default:
      return scalarValue(value)
  }
}

function blobValue(blob: BlobValue, source: Place): Value {
  return { kind: 'blob', blob: { blob, source } }
}

function listValue(item: FieldType, value: PropertyValue, { document, xpath }: Place): Value {
  const items = Array.isArray(value) ? value : []
  return list(items.map((one, index) => valueOfProperty(item, one, { document, xpath: `${xpath}/${index}` })))
}

function complexValue({ fields }: FieldType & { kind: 'complex' }, value: PropertyValue, { document, xpath }: Place): Value {
  if (!isComplexValue(value)) return nothing
  const members = fields.map(({ name, type }) => {
    const member = valueOfProperty(type, value[name] ?? null, { document, xpath: `${xpath}/${name}` })
    return [name, member] as const
  })
  return { kind: 'map', members: Object.fromEntries(members) }
}

function scalarValue(value: PropertyValue): Value {
  switch (typeof value) {
    case 'string':
      return text(value)
    case 'number':
    case 'bigint':
      return number(value)
    case 'boolean':
      return boolean(value)
    default:
      return nothing
  }
}
