import type { Lifecycle, ListedFacet, ListedSchema, ListedTypes } from '../../api/administration/model.ts'

export interface Model extends ListedTypes {
  readonly schemas: readonly ListedSchema[]
  readonly facets: readonly ListedFacet[]
  readonly lifecycles: readonly Lifecycle[]
}

/** What a type has, and whether it says so itself or has it from the one that it extends. */
export interface Part {
  readonly name: string
  readonly isOwn: boolean
}

export interface TypeOverview {
  readonly name: string
  /** Those that it extends, the nearest first. */
  readonly supertypes: readonly string[]
  /** Those that extend it themselves. */
  readonly subtypes: readonly string[]
  readonly facets: readonly Part[]
  readonly schemas: readonly Part[]
  readonly lifecycle: string | undefined
}

export function typeOverview({ doctypes, lifecycles }: Model, name: string): TypeOverview | undefined {
  const type = Object.hasOwn(doctypes, name) ? doctypes[name] : undefined
  if (type === undefined) return undefined
  const supertypes = supertypesOf(doctypes, name)
  const parent = doctypes[supertypes[0] ?? '']
  const partsOf = (all: readonly string[], inherited: readonly string[] = []) =>
    all.map((one) => ({ name: one, isOwn: !inherited.includes(one) }))
  return {
    name,
    supertypes,
    subtypes: Object.keys(doctypes).filter((other) => doctypes[other]?.parent === name),
    facets: partsOf(type.facets, parent?.facets),
    schemas: partsOf(type.schemas, parent?.schemas),
    lifecycle: lifecycles.find(({ types }) => types.includes(name))?.name,
  }
}

function supertypesOf(doctypes: ListedTypes['doctypes'], name: string): readonly string[] {
  const chain: string[] = []
  for (let next = doctypes[name]?.parent; next !== undefined && Object.hasOwn(doctypes, next); next = doctypes[next]?.parent)
    chain.push(next)
  return chain
}

/** The types that have a facet or schema, be it from another. */
export function typesWith({ doctypes }: Model, kind: 'facets' | 'schemas', name: string): readonly string[] {
  return Object.entries(doctypes).flatMap(([type, parts]) => (parts[kind].includes(name) ? [type] : []))
}

/** The facets that bring a schema. */
export function facetsWith({ facets }: Model, schema: string): readonly string[] {
  return facets.flatMap(({ name, schemas = [] }) => (schemas.some((one) => one.name === schema) ? [name] : []))
}
