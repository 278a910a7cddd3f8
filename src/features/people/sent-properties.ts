import { notDeserialisable } from '../../model/properties/coercion.ts'
import { Type } from '../../rest/openapi/schema.ts'

/** The properties of a user or group as clients send them, read by the fields of its schema. */
export function propertiesField(description: string) {
  const properties = Type.Optional(Type.Nullable(Type.Map({ description })))
  return Type.Refused(properties, () => notDeserialisable({ xpath: 'properties' }))
}
