import { memoised as memoisedByObject } from '../base/cache/memo.ts'
import { defineProblem } from '../base/problem.ts'
import type { DocumentType, DocumentTypeAddition, Facet } from './document-type.ts'
import type { Field } from './field.ts'
import type { Lifecycle } from './lifecycle.ts'
import { byName, type ModelContributions, modelMistake, requireSoundContributions } from './model-contributions.ts'
import type { Properties, PropertyValue } from './properties/property.ts'
import { createPermissionTable, type PermissionTable } from './rights/permission.ts'
import { type DocumentSchema, prefixOf } from './schema.ts'
import type { PropertyDefinition, Shape } from './shape.ts'
import type { VersioningPolicy, VersioningRestriction } from './versioning.ts'

export interface Model {
  readonly schemas: ReadonlyMap<string, DocumentSchema>
  readonly facets: ReadonlyMap<string, Facet>
  readonly types: ReadonlyMap<string, DocumentType>
  /** Names of the types that are reserved, or bring a reserved facet, or extend one that does. */
  readonly reservedTypes: ReadonlySet<string>
  readonly permissions: PermissionTable
  /** In the order in which they are tried. */
  readonly versioningPolicies: readonly VersioningPolicy[]
  readonly versioningRestrictions: readonly VersioningRestriction[]
  /** @throws unknownType */
  shapeOf(document: { readonly type: string; readonly facets?: readonly string[] }): Shape
  lifecycleOf(type: string): Lifecycle | undefined
  /** The type and all that extend it, directly or not. */
  typesExtending(type: string): readonly string[]
  typesWithFacet(facet: string): readonly string[]
  /** Finds by `prefix:field`, `schemaName:field` or, where only one schema has it, the bare field name. */
  findProperty(name: string): PropertyDefinition | undefined
  propertiesOf(schema: DocumentSchema): readonly PropertyDefinition[]
  /** Properties whose text is shown as HTML. */
  readonly htmlProperties: readonly HtmlProperty[]
  /** Names of the properties whose lists other documents agree with. */
  readonly mutualProperties: readonly string[]
  /** Names of those whose lists keep the versions that they name. */
  readonly keepingProperties: readonly string[]
}

/** A property that is shown as HTML, unless another one has one of the values. */
export interface HtmlProperty {
  readonly name: string
  readonly unless?: { readonly name: string; readonly is: readonly string[] }
}

export const unknownType = defineProblem('unknownType', 'invalid', (of: { type: string }) => `Type: ${of.type} does not exist`)

/** @throws modelMistake */
export function createModel(contributions: ModelContributions): Model {
  const schemas = byName('schema', contributions.schemas)
  const facets = byName('facet', contributions.facets)
  const lifecycles = byName('lifecycle', contributions.lifecycles)
  const declared = byName('document type', contributions.documentTypes)
  const types = new Map([...declared].map(([name, type]) => [name, withAdditions(type, contributions)]))
  requireSoundContributions(contributions, { schemas, facets, types, lifecycles })

  const properties = indexProperties(schemas)
  // By type, then by facets of their own: to put a key together for both took longer than all else that is asked of a document.
  const shapes = new Map<string, Map<string, Shape>>()

  const shapeOf: Model['shapeOf'] = ({ type, facets: own = [] }) => {
    const ofType = shapes.get(type) ?? new Map<string, Shape>()
    const key = own.length < 2 ? (own[0] ?? '') : own.toSorted().join(' ')
    const known = ofType.get(key)
    if (known !== undefined) return known
    const shape = createShape(type, own, { schemas, facets, types }, properties.bySchema)
    shapes.set(type, ofType.set(key, shape))
    return shape
  }

  const namesOf = (isMeant: (field: Field) => boolean | undefined) =>
    [...properties.bySchema.values()].flatMap((some) => some.filter(({ field }) => isMeant(field)).map(({ name }) => name))

  return {
    schemas,
    facets,
    types,
    reservedTypes: new Set([...types.keys()].filter((name) => lineage(name, types).some((type) => isReserved(type, facets)))),
    permissions: createPermissionTable(contributions.permissions, contributions.visiblePermissions),
    versioningPolicies: [...contributions.versioningPolicies].sort((left, right) => left.order - right.order),
    versioningRestrictions: contributions.versioningRestrictions,
    shapeOf,
    lifecycleOf: (type) => lifecycles.get(types.get(type)?.lifecycle ?? ''),
    typesExtending: memoised((type) => [...types.keys()].filter((name) => lineage(name, types).some((one) => one.name === type))),
    typesWithFacet: memoised((facet) => [...types.keys()].filter((name) => shapeOf({ type: name }).hasFacet(facet))),
    findProperty: (name) => properties.byName.get(name),
    propertiesOf: (schema) => properties.bySchema.get(schema.name) ?? [],
    htmlProperties: [...schemas.values()].flatMap(htmlPropertiesOf),
    mutualProperties: namesOf(({ isMutual }) => isMutual),
    keepingProperties: namesOf(({ keepsVersions }) => keepsVersions),
  }
}

function isReserved(type: DocumentType, facets: ReadonlyMap<string, Facet>): boolean {
  return type.isReserved === true || type.facets.some((name) => facets.get(name)?.isReserved)
}

function htmlPropertiesOf(schema: DocumentSchema): readonly HtmlProperty[] {
  const nameOf = (field: string) => `${prefixOf(schema)}:${field}`
  return schema.html.map(({ field, unless }) => ({
    name: nameOf(field),
    ...(unless !== undefined && { unless: { name: nameOf(unless.field), is: unless.is } }),
  }))
}

/** The model never changes, so what is derived from it by name is derived once. */
function memoised<Result>(derive: (name: string) => Result): (name: string) => Result {
  const results = new Map<string, Result>()
  return (name) => {
    const known = results.get(name)
    if (known !== undefined) return known
    const result = derive(name)
    results.set(name, result)
    return result
  }
}

/** The values a fresh document of the shape starts with: the declared defaults. */
export function defaultProperties(shape: Shape): { [name: string]: PropertyValue } {
  return { ...declaredDefaults(shape) }
}

// Shapes do not change while a server runs, and every new document asks.
const declaredDefaults = memoisedByObject((shape: Shape): Properties => {
  const defaults: { [name: string]: PropertyValue } = {}
  for (const { name, field } of shape.properties.values()) {
    const isUnset = field.defaultValue === null || (Array.isArray(field.defaultValue) && field.defaultValue.length === 0)
    if (!isUnset) defaults[name] = field.defaultValue
  }
  return defaults
})

function withAdditions(type: DocumentType, { documentTypeAdditions }: ModelContributions): DocumentType {
  return documentTypeAdditions.filter((addition) => addition.type === type.name).reduce(withAddition, type)
}

function withAddition(type: DocumentType, addition: DocumentTypeAddition): DocumentType {
  const { before, schemas = [], facets = [], subtypes = [], forbiddenSubtypes = [] } = addition
  if (before !== undefined && ![...type.schemas, ...type.facets, ...type.subtypes].includes(before)) {
    const reason = `is to stand before ${before}, which the type does not have`
    throw modelMistake({ kind: 'addition to', name: type.name, definition: addition, reason })
  }
  const joined = (own: readonly string[], added: readonly string[]) => {
    const place = before !== undefined && own.includes(before) ? own.indexOf(before) : own.length
    return [...new Set([...own.slice(0, place), ...added.filter((one) => !own.includes(one)), ...own.slice(place)])]
  }
  return {
    ...type,
    schemas: joined(type.schemas, schemas),
    facets: joined(type.facets, facets),
    subtypes: joined(type.subtypes, subtypes),
    forbiddenSubtypes: joined(type.forbiddenSubtypes, forbiddenSubtypes),
  }
}

/** The type and its ancestors, nearest first. */
function lineage(name: string, types: ReadonlyMap<string, DocumentType>): DocumentType[] {
  const line: DocumentType[] = []
  for (let type = types.get(name); type !== undefined; type = types.get(type.extends ?? '')) line.push(type)
  return line
}

function createShape(
  typeName: string,
  ownFacets: readonly string[],
  definitions: Pick<Model, 'schemas' | 'facets' | 'types'>,
  propertiesBySchema: ReadonlyMap<string, readonly PropertyDefinition[]>,
): Shape {
  const type = definitions.types.get(typeName)
  if (type === undefined) throw unknownType({ type: typeName })
  const line = lineage(typeName, definitions.types).reverse()
  const facets = new Set([...line.flatMap((one) => one.facets), ...ownFacets])
  const schemaNames = new Set([
    ...line.flatMap((one) => one.schemas),
    ...[...facets].flatMap((facet) => definitions.facets.get(facet)?.schemas ?? []),
  ])
  const schemas = [...schemaNames].flatMap((name) => definitions.schemas.get(name) ?? [])
  const properties = schemas.flatMap((schema) => propertiesBySchema.get(schema.name) ?? [])
  return {
    type,
    facets: [...facets],
    schemas,
    properties: new Map(properties.map((property) => [property.name, property])),
    hasFacet: (name) => facets.has(name),
    hasSchema: (name) => schemaNames.has(name),
  }
}

function indexProperties(schemas: ReadonlyMap<string, DocumentSchema>) {
  const bySchema = new Map<string, readonly PropertyDefinition[]>()
  const byName = new Map<string, PropertyDefinition>()
  const bare = new Map<string, PropertyDefinition | undefined>()
  for (const schema of schemas.values()) {
    const properties = schema.fields.map((field) => ({
      name: `${prefixOf(schema)}:${field.name}`,
      schema,
      field,
      isSecured: schema.secured.includes(field.name),
    }))
    bySchema.set(schema.name, properties)
    for (const property of properties) {
      const taken = byName.get(property.name)
      if (taken !== undefined) {
        throw modelMistake({
          kind: 'schema',
          name: schema.name,
          definition: schema,
          reason: `field ${property.name} is also in schema ${taken.schema.name}`,
        })
      }
      byName.set(property.name, property)
      bare.set(property.field.name, bare.has(property.field.name) ? undefined : property)
    }
  }
  for (const properties of bySchema.values()) {
    for (const property of properties) {
      const long = `${property.schema.name}:${property.field.name}`
      if (!byName.has(long)) byName.set(long, property)
    }
  }
  for (const [name, property] of bare) if (property !== undefined && !byName.has(name)) byName.set(name, property)
  return { bySchema, byName }
}
