import { defineProblem } from '../base/problem.ts'
import { fullMatch } from './constraint.ts'
import type { DocumentType, DocumentTypeAddition, Facet } from './document-type.ts'
import { type Field, isScalar } from './field.ts'
import { hasState, type Lifecycle } from './lifecycle.ts'
import { createPermissionTable, type Permission, type PermissionTable, type VisiblePermission } from './permission.ts'
import type { PropertyValue } from './property.ts'
import { prefixOf, type Schema } from './schema.ts'
import type { PropertyDefinition, Shape } from './shape.ts'
import { anyType, type VersioningPolicy, type VersioningRestriction } from './versioning.ts'

/** Everything that plugins say about documents, gathered. */
export interface ModelContributions {
  readonly schemas: readonly Schema[]
  readonly facets: readonly Facet[]
  readonly documentTypes: readonly DocumentType[]
  readonly documentTypeAdditions: readonly DocumentTypeAddition[]
  readonly lifecycles: readonly Lifecycle[]
  readonly permissions: readonly Permission[]
  readonly visiblePermissions: readonly VisiblePermission[]
  readonly versioningPolicies: readonly VersioningPolicy[]
  readonly versioningRestrictions: readonly VersioningRestriction[]
}

export interface Model {
  readonly schemas: ReadonlyMap<string, Schema>
  readonly facets: ReadonlyMap<string, Facet>
  readonly types: ReadonlyMap<string, DocumentType>
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
  propertiesOf(schema: Schema): readonly PropertyDefinition[]
  /** Properties whose text is shown as HTML. */
  readonly htmlProperties: readonly HtmlProperty[]
}

/** A property that is shown as HTML, unless another one has one of the values. */
export interface HtmlProperty {
  readonly name: string
  readonly unless?: { readonly name: string; readonly is: readonly string[] }
}

export const unknownType = defineProblem('unknownType', 'invalid', (of: { type: string }) => `Type: ${of.type} does not exist`)

/** A definition that cannot work, found at start. */
export const modelMistake = defineProblem(
  'modelMistake',
  'invalid',
  (of: { kind: string; name: string; reason: string }) => `${of.kind} ${of.name}: ${of.reason}`,
)

export function createModel(contributions: ModelContributions): Model {
  const schemas = byName('schema', contributions.schemas)
  const facets = byName('facet', contributions.facets)
  const lifecycles = byName('lifecycle', contributions.lifecycles)
  const types = byName(
    'document type',
    contributions.documentTypes.map((type) => withAdditions(type, contributions)),
  )
  requireKnownTypes(contributions.documentTypeAdditions, types)
  for (const schema of schemas.values()) requireSoundSchema(schema)
  for (const facet of facets.values()) requireKnown('facet', facet.name, 'schema', facet.schemas, schemas)
  for (const type of types.values()) requireSoundType(type, { schemas, facets, types, lifecycles })
  for (const lifecycle of lifecycles.values()) requireSoundLifecycle(lifecycle)
  requireSoundPermissions(contributions.permissions)
  requireSoundRestrictions(contributions.versioningRestrictions, types)

  const properties = indexProperties(schemas)
  const shapes = new Map<string, Shape>()

  const shapeOf: Model['shapeOf'] = ({ type, facets: own }) => {
    const key = own === undefined || own.length === 0 ? type : `${type} ${[...own].sort().join(' ')}`
    let shape = shapes.get(key)
    if (shape === undefined) {
      shape = createShape(type, own ?? [], { schemas, facets, types }, properties.bySchema)
      shapes.set(key, shape)
    }
    return shape
  }

  return {
    schemas,
    facets,
    types,
    permissions: createPermissionTable(contributions.permissions, contributions.visiblePermissions),
    versioningPolicies: [...contributions.versioningPolicies].sort((left, right) => left.order - right.order),
    versioningRestrictions: contributions.versioningRestrictions,
    shapeOf,
    lifecycleOf: (type) => lifecycles.get(types.get(type)?.lifecycle ?? ''),
    typesExtending: kept((type) => [...types.keys()].filter((name) => lineage(name, types).some((one) => one.name === type))),
    typesWithFacet: kept((facet) => [...types.keys()].filter((name) => shapeOf({ type: name }).hasFacet(facet))),
    findProperty: (name) => properties.byName.get(name),
    propertiesOf: (schema) => properties.bySchema.get(schema.name) ?? [],
    htmlProperties: [...schemas.values()].flatMap(htmlPropertiesOf),
  }
}

function htmlPropertiesOf(schema: Schema): readonly HtmlProperty[] {
  const nameOf = (field: string) => `${prefixOf(schema)}:${field}`
  return schema.html.map(({ field, unless }) => ({
    name: nameOf(field),
    ...(unless !== undefined && { unless: { name: nameOf(unless.field), is: unless.is } }),
  }))
}

/** The model never changes, so what is derived from it by name is derived once. */
function kept<Result>(derive: (name: string) => Result): (name: string) => Result {
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
  const defaults: { [name: string]: PropertyValue } = {}
  for (const { name, field } of shape.properties.values()) {
    const isUnset = field.defaultValue === null || (Array.isArray(field.defaultValue) && field.defaultValue.length === 0)
    if (!isUnset) defaults[name] = field.defaultValue
  }
  return defaults
}

interface Definitions {
  readonly schemas: ReadonlyMap<string, Schema>
  readonly facets: ReadonlyMap<string, Facet>
  readonly types: ReadonlyMap<string, DocumentType>
  readonly lifecycles: ReadonlyMap<string, Lifecycle>
}

function byName<Named extends { readonly name: string }>(kind: string, all: readonly Named[]): Map<string, Named> {
  const map = new Map<string, Named>()
  for (const one of all) {
    if (map.has(one.name)) throw modelMistake({ kind, name: one.name, reason: 'is defined twice' })
    map.set(one.name, one)
  }
  return map
}

function withAdditions(type: DocumentType, { documentTypeAdditions }: ModelContributions): DocumentType {
  const additions = documentTypeAdditions.filter((addition) => addition.type === type.name)
  if (additions.length === 0) return type
  const joined = (own: readonly string[], added: (addition: DocumentTypeAddition) => readonly string[] | undefined) => [
    ...new Set([...own, ...additions.flatMap((addition) => added(addition) ?? [])]),
  ]
  return {
    ...type,
    schemas: joined(type.schemas, (addition) => addition.schemas),
    facets: joined(type.facets, (addition) => addition.facets),
    subtypes: joined(type.subtypes, (addition) => addition.subtypes),
    forbiddenSubtypes: joined(type.forbiddenSubtypes, (addition) => addition.forbiddenSubtypes),
  }
}

function requireKnownTypes(additions: readonly DocumentTypeAddition[], types: ReadonlyMap<string, unknown>): void {
  for (const addition of additions) requireKnown('addition to', addition.type, 'document type', [addition.type], types)
}

function requireKnown(
  kind: string,
  name: string,
  wanted: string,
  names: readonly string[],
  known: ReadonlyMap<string, unknown>,
): void {
  for (const one of names) {
    if (!known.has(one)) throw modelMistake({ kind, name, reason: `names the unknown ${wanted} ${one}` })
  }
}

function requireSoundSchema(schema: Schema): void {
  const mistake = (reason: string) => modelMistake({ kind: 'schema', name: schema.name, reason })
  for (const field of everyField(schema.fields)) {
    // Values are plain objects: under a name that every object inherits, something would be found where nothing is.
    if (field.name === '' || /[:/]/.test(field.name) || field.name in {}) throw mistake(`cannot name a field '${field.name}'`)
    for (const pattern of patternsOf(field)) {
      if (!isPattern(pattern)) throw mistake(`field ${field.name} has the pattern ${pattern}, which is no regular expression`)
    }
  }
  for (const secured of schema.secured) {
    if (!schema.fields.some((field) => field.name === secured)) throw mistake(`secures the unknown field ${secured}`)
  }
  for (const named of schema.html.flatMap(({ field, unless }) => (unless === undefined ? [field] : [field, unless.field]))) {
    if (!schema.fields.some((field) => field.name === named)) throw mistake(`has HTML in the unknown field ${named}`)
  }
  for (const removed of Object.keys(schema.removed)) {
    if (schema.fields.some((field) => field.name === removed)) throw mistake(`field ${removed} is both there and removed`)
  }
}

function* everyField(fields: readonly Field[]): Generator<Field> {
  for (const field of fields) {
    yield field
    if (field.type.kind === 'complex') yield* everyField(field.type.fields)
    if (field.type.kind === 'list') yield* everyField([field.type.item])
  }
}

function patternsOf({ type }: Field): readonly string[] {
  return isScalar(type) ? type.constraints.flatMap((constraint) => (constraint.kind === 'pattern' ? constraint.pattern : [])) : []
}

function isPattern(text: string): boolean {
  try {
    return fullMatch(text) !== undefined
  } catch {
    return false
  }
}

function requireSoundType(type: DocumentType, definitions: Definitions): void {
  const kind = 'document type'
  requireKnown(kind, type.name, 'schema', type.schemas, definitions.schemas)
  requireKnown(kind, type.name, 'facet', type.facets, definitions.facets)
  requireKnown(kind, type.name, 'document type', [...type.subtypes, ...type.forbiddenSubtypes], definitions.types)
  if (type.extends !== undefined) requireKnown(kind, type.name, 'document type', [type.extends], definitions.types)
  if (type.lifecycle !== undefined) requireKnown(kind, type.name, 'lifecycle', [type.lifecycle], definitions.lifecycles)
  if (type.ownTransitions !== undefined) {
    const { transitions = {} } = definitions.lifecycles.get(type.lifecycle ?? '') ?? {}
    requireKnown(kind, type.name, 'transition', type.ownTransitions, new Map(Object.entries(transitions)))
  }
  lineage(type.name, definitions.types)
}

function requireSoundLifecycle(lifecycle: Lifecycle): void {
  const { name, states, transitions } = lifecycle
  const mistake = (reason: string) => modelMistake({ kind: 'lifecycle', name, reason })
  if (!hasState(lifecycle, lifecycle.initial)) throw mistake(`starts in the unknown state ${lifecycle.initial}`)
  for (const [transition, destination] of Object.entries(transitions)) {
    if (!hasState(lifecycle, destination)) throw mistake(`transition ${transition} leads to the unknown state ${destination}`)
  }
  for (const [state, allowed] of Object.entries(states)) {
    for (const transition of allowed) {
      if (!Object.hasOwn(transitions, transition)) throw mistake(`state ${state} allows the unknown transition ${transition}`)
    }
  }
}

function requireSoundPermissions(permissions: readonly Permission[]): void {
  const known = byName('permission', permissions)
  for (const { name, includes } of permissions) requireKnown('permission', name, 'permission', includes, known)
}

function requireSoundRestrictions(restrictions: readonly VersioningRestriction[], types: ReadonlyMap<string, unknown>): void {
  for (const { type } of restrictions) {
    if (type !== anyType) requireKnown('versioning restriction of', type, 'document type', [type], types)
  }
}

/** The type and its ancestors, nearest first. */
function lineage(name: string, types: ReadonlyMap<string, DocumentType>): DocumentType[] {
  const line: DocumentType[] = []
  for (let type = types.get(name); type !== undefined; type = types.get(type.extends ?? '')) {
    if (line.includes(type)) throw modelMistake({ kind: 'document type', name, reason: 'extends itself' })
    line.push(type)
  }
  return line
}

function createShape(
  typeName: string,
  ownFacets: readonly string[],
  definitions: Pick<Definitions, 'schemas' | 'facets' | 'types'>,
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

function indexProperties(schemas: ReadonlyMap<string, Schema>) {
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
