import type { Json } from '../../../base/json.ts'
import type { Model } from '../../../model/model.ts'
import { type CoercionHooks, coerceProperty } from '../../../model/properties/coercion.ts'
import { isBlobValue, type Properties, type PropertyValue, sameValue } from '../../../model/properties/property.ts'
import { sanitised } from '../../../model/properties/value-bounds.ts'
import type { DocumentLine } from '../format/document-line.ts'

const hooks: CoercionHooks = {
  blob: (json) => (isBlobValue(json as PropertyValue) ? (json as never) : null),
  reference: () => undefined,
  emptyStringIsNull: false,
}

/**
 * The properties of a document from an archive as the model wants them: what is there in another form that means the same stays, so that
 * nothing is changed by being carried. What the model does not know stays too, as in a repository whose plugin is gone.
 * @throws notDeserialisable
 */
export function typedProperties(model: Model, { properties }: Pick<DocumentLine['document'], 'properties'>): Properties {
  const typed: { [name: string]: PropertyValue } = {}
  for (const [name, value] of Object.entries(properties)) {
    const property = model.findProperty(name)
    const coerced = property === undefined ? value : coerceProperty(property, value as Json, hooks)
    typed[name] = sanitised(sameValue(coerced, value) ? value : coerced)
  }
  return typed
}
