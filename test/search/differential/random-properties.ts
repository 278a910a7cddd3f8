import { type Field, isScalar } from '../../../src/model/field.ts'
import { defaultProperties, type Model } from '../../../src/model/model.ts'
import type { Properties, PropertyValue } from '../../../src/model/properties/property.ts'
import type { PropertyDefinition } from '../../../src/model/shape.ts'
import type { Random } from '../../faults/kill/random.ts'
import { happens, oneOf, times } from './chance.ts'
import { aBlob, aScalar, texts } from './random-values.ts'

/** The schemas whose properties documents are given and queries ask for. */
export const askedSchemas = ['dublincore', 'file', 'files', 'uid', 'facetedTag', 'thing', 'plain', 'extra']

/** Not asked for, as the server itself counts them. */
const countedNames = new Set(['uid:major_version', 'uid:minor_version'])

export function askedProperties(model: Model): readonly PropertyDefinition[] {
  const schemas = askedSchemas.flatMap((name) => model.schemas.get(name) ?? [])
  return schemas.flatMap((schema) => model.propertiesOf(schema)).filter(({ name }) => !countedNames.has(name))
}

/** Values for about half of the properties that a document of the type with these facets has. */
export function someProperties(random: Random, model: Model, document: { type: string; facets: readonly string[] }): Properties {
  const shape = model.shapeOf(document)
  const properties: { [name: string]: PropertyValue } = defaultProperties(shape)
  for (const { name, schema, field } of shape.properties.values()) {
    if (askedSchemas.includes(schema.name) && !countedNames.has(name) && happens(random, 0.55)) {
      properties[name] = aValue(random, field)
    }
  }
  if (shape.hasSchema('facetedTag') && happens(random, 0.5)) properties['nxtag:tags'] = someTags(random)
  return properties
}

function someTags(random: Random): PropertyValue {
  return times(random, 0, 4, () => ({ label: oneOf(random, texts.slice(0, 6)), username: oneOf(random, ['bob', 'ann']) }))
}

function aValue(random: Random, field: Field): PropertyValue {
  const { type } = field
  if (isScalar(type)) return happens(random, 0.1) ? null : aScalar(random, type.kind)
  switch (type.kind) {
    case 'blob':
      return happens(random, 0.2) ? null : aBlob(random)
    case 'list':
      return times(random, 0, 4, () => aValue(random, type.item))
    case 'complex':
      return Object.fromEntries(
        type.fields.filter(() => happens(random, 0.8)).map((member) => [member.name, aValue(random, member)]),
      )
  }
}
