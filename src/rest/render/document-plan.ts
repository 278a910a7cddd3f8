import { createCache } from '../../base/cache/bounded-cache.ts'
import { memoised } from '../../base/cache/memo.ts'
import { proxySchemas } from '../../core/documents/proxies/proxy.ts'
import type { Document } from '../../model/document.ts'
import type { Field, FieldType } from '../../model/field.ts'
import type { Model } from '../../model/model.ts'
import { shownProperty } from '../../model/properties/shown-property.ts'
import { type DocumentSchema, prefixOf } from '../../model/schema.ts'
import type { PropertyDefinition, Shape } from '../../model/shape.ts'
import { versionNumberNames } from '../../model/versioning.ts'
import type { BlobWriter } from './blob-json.ts'
import { type PropertyWriter, propertyWriter } from './property-json.ts'

/** What is the same in the entities of all documents of one shape, worked out once. */
export interface DocumentPlan {
  readonly facets: readonly string[]
  /** With the facet that versions, and proxies to versions, show. */
  readonly immutableFacets: readonly string[]
  readonly schemas: readonly { readonly name: string; readonly prefix: string }[]
  readonly hasDublincore: boolean
  /** For the schemas asked for; `*` means all, and those the document does not have are passed over. */
  properties(requested: readonly string[]): PropertiesPlan
}

export interface PropertiesPlan {
  write(document: Document, writeBlob: BlobWriter): { [name: string]: unknown }
  /** Properties that refer to something, themselves or inside. */
  readonly referring: readonly PropertyDefinition[]
  readonly secured: readonly string[]
}

interface PlansOfShape {
  own?: DocumentPlan
  proxy?: DocumentPlan
}

const plansOf = memoised((_: Shape): PlansOfShape => ({}))

/** A proxy shows, beside the schemas of what it points to, those whose values it keeps itself. */
export function documentPlan(model: Model, shape: Shape, isProxy: boolean): DocumentPlan {
  const ofShape = plansOf(shape)
  if (isProxy) {
    ofShape.proxy ??= createPlan(model, shape, proxySchemaList(model, shape))
    return ofShape.proxy
  }
  ofShape.own ??= createPlan(model, shape, shape.schemas)
  return ofShape.own
}

function proxySchemaList(model: Model, shape: Shape): readonly DocumentSchema[] {
  const own = proxySchemas.filter((name) => !shape.hasSchema(name)).flatMap((name) => model.schemas.get(name) ?? [])
  return [...shape.schemas, ...own]
}

// More combinations than clients ask for; a client that tries them all must not fill the memory.
const maxCombinations = 100

function createPlan(model: Model, shape: Shape, schemas: readonly DocumentSchema[]): DocumentPlan {
  const byName = new Map(schemas.map((schema) => [schema.name, schema]))
  // Nothing invalidates them: a shape never changes.
  const combinations = createCache<string, PropertiesPlan>({ maxEntries: maxCombinations })
  let whole: PropertiesPlan | undefined
  return {
    facets: shape.facets,
    immutableFacets: [...shape.facets, 'Immutable'],
    schemas: schemas.map((schema) => ({ name: schema.name, prefix: prefixOf(schema) })),
    hasDublincore: shape.hasSchema('dublincore'),
    properties(requested) {
      if (requested.includes('*')) {
        whole ??= createPropertiesPlan(schemas.flatMap((schema) => model.propertiesOf(schema)))
        return whole
      }
      const present = requested.filter((name) => byName.has(name))
      const key = present.join(' ')
      let plan = combinations.get(key)
      if (plan === undefined) {
        plan = createPropertiesPlan(present.flatMap((name) => model.propertiesOf(byName.get(name) as DocumentSchema)))
        combinations.set(key, plan)
      }
      return plan
    },
  }
}

interface Entry {
  readonly name: string
  readonly write: PropertyWriter
}

function createPropertiesPlan(properties: readonly PropertyDefinition[]): PropertiesPlan {
  const entries: Entry[] = properties.map(({ name, field }) => ({ name, write: propertyWriter(field) }))
  const numbers = properties.map(({ name }) => name).filter((name) => versionNumberNames.has(name))
  const unset = unsetProperties(properties)
  return {
    write(document, writeBlob) {
      const shown: { [name: string]: unknown } = { ...unset }
      const stored = document.properties
      for (const { name, write } of entries) {
        const value = stored[name]
        if (value !== undefined && value !== null) shown[name] = write(value, writeBlob, name)
      }
      for (const name of numbers) shown[name] = shownProperty(document, name)
      return shown
    },
    referring: properties.filter(({ field }) => refersToSomething(field.type)),
    secured: properties.filter(({ isSecured }) => isSecured).map(({ name }) => name),
  }
}

function unsetProperties(properties: readonly PropertyDefinition[]): { readonly [name: string]: unknown } {
  const none: BlobWriter = () => null
  return Object.fromEntries(properties.map(({ name, field }) => [name, propertyWriter(field)(undefined, none, name)]))
}

function refersToSomething(type: FieldType): boolean {
  if (type.kind === 'complex') return type.fields.some((field: Field) => refersToSomething(field.type))
  if (type.kind === 'list') return refersToSomething(type.item.type)
  return type.kind !== 'blob' && type.resolver !== undefined
}
