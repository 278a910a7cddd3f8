import { defineProblem } from '../base/problem.ts'
import type { DocumentType, DocumentTypeAddition, Facet } from './document-type.ts'
import { type Field, isScalar } from './field.ts'
import { hasState, type Lifecycle } from './lifecycle.ts'
import { fullMatch } from './properties/validation.ts'
import type { Permission, VisiblePermission } from './rights/permission.ts'
import { type DocumentSchema, prefixOf } from './schema.ts'
import { anyType, type VersioningPolicy, type VersioningRestriction } from './versioning.ts'

/** Everything that plugins say about documents, gathered. */
export interface ModelContributions {
  readonly schemas: readonly DocumentSchema[]
  readonly facets: readonly Facet[]
  readonly documentTypes: readonly DocumentType[]
  readonly documentTypeAdditions: readonly DocumentTypeAddition[]
  readonly lifecycles: readonly Lifecycle[]
  readonly permissions: readonly Permission[]
  readonly visiblePermissions: readonly VisiblePermission[]
  readonly versioningPolicies: readonly VersioningPolicy[]
  readonly versioningRestrictions: readonly VersioningRestriction[]
}

/** A definition that cannot work, found at start; it comes along, so that the message can name its plugin. */
export const modelMistake = defineProblem(
  'modelMistake',
  'invalid',
  (of: Named & { readonly reason: string }) => `${of.kind} ${of.name}: ${of.reason}`,
)

/** A definition, and how its author knows it. */
interface Named {
  readonly kind: string
  readonly name: string
  readonly definition: object
}

/** What definitions refer to, by name. */
interface Known {
  readonly schemas: ReadonlyMap<string, DocumentSchema>
  readonly facets: ReadonlyMap<string, Facet>
  readonly types: ReadonlyMap<string, DocumentType>
  readonly lifecycles: ReadonlyMap<string, Lifecycle>
}

/** @throws modelMistake on a name that two have */
export function byName<One extends { readonly name: string }>(kind: string, all: readonly One[]): Map<string, One> {
  const map = new Map<string, One>()
  for (const one of all) {
    if (map.has(one.name)) throw modelMistake({ kind, name: one.name, definition: one, reason: 'is defined twice' })
    map.set(one.name, one)
  }
  return map
}

/** @throws modelMistake on what is wrong in a definition by itself, or beside the others */
export function requireSoundContributions(contributions: ModelContributions, known: Known): void {
  const { documentTypes, documentTypeAdditions, permissions, visiblePermissions } = contributions
  for (const addition of documentTypeAdditions) requireSoundAddition(addition, known)
  for (const schema of contributions.schemas) requireSoundSchema(schema)
  for (const facet of contributions.facets) requireSoundFacet(facet, known)
  for (const type of documentTypes) requireSoundType(type, known)
  for (const lifecycle of contributions.lifecycles) requireSoundLifecycle(lifecycle)
  requireSoundPermissions(permissions, visiblePermissions, known)
  for (const restriction of contributions.versioningRestrictions) requireSoundRestriction(restriction, known)
  for (const policy of contributions.versioningPolicies) requireSoundPolicy(policy, known)
}

function requireKnown(
  named: Named,
  wanted: string,
  names: readonly string[] | undefined,
  known: ReadonlyMap<string, unknown>,
): void {
  for (const one of names ?? []) {
    if (!known.has(one)) throw modelMistake({ ...named, reason: `names the unknown ${wanted} ${one}` })
  }
}

/** Addresses, queries, xpaths and lists with commas have the names in them. */
function requireName(named: Named, name = named.name): void {
  if (/^$|[\s:/,']/.test(name)) throw modelMistake({ ...named, reason: `cannot go by the name '${name}'` })
}

// Of what the system knows of every document (ecm:uuid).
const systemPrefix = 'ecm'

function requireSoundFacet(facet: Facet, known: Known): void {
  const named = { kind: 'facet', name: facet.name, definition: facet }
  requireName(named)
  requireKnown(named, 'schema', facet.schemas, known.schemas)
}

function requireSoundAddition(addition: DocumentTypeAddition, { schemas, facets, types }: Known): void {
  const named = { kind: 'addition to', name: addition.type, definition: addition }
  requireKnown(named, 'document type', [addition.type], types)
  requireKnown(named, 'schema', addition.schemas, schemas)
  requireKnown(named, 'facet', addition.facets, facets)
  requireKnown(named, 'document type', addition.subtypes, types)
  requireKnown(named, 'document type', addition.forbiddenSubtypes, types)
}

function requireSoundSchema(schema: DocumentSchema): void {
  const named = { kind: 'schema', name: schema.name, definition: schema }
  const mistake = (reason: string) => modelMistake({ ...named, reason })
  requireName(named)
  requireName(named, prefixOf(schema))
  if (prefixOf(schema) === systemPrefix) throw mistake(`cannot have the prefix ${systemPrefix}, which is the system's own`)
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

/** The fields, those of their parts and of the items of lists. */
export function* everyField(fields: readonly Field[]): Generator<Field> {
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

function requireSoundType(type: DocumentType, { schemas, facets, types, lifecycles }: Known): void {
  const named = { kind: 'document type', name: type.name, definition: type }
  requireName(named)
  requireKnown(named, 'schema', type.schemas, schemas)
  requireKnown(named, 'facet', type.facets, facets)
  requireKnown(named, 'document type', [...type.subtypes, ...type.forbiddenSubtypes], types)
  if (type.extends !== undefined) requireKnown(named, 'document type', [type.extends], types)
  if (type.lifecycle !== undefined) requireKnown(named, 'lifecycle', [type.lifecycle], lifecycles)
  if (type.ownTransitions !== undefined) {
    const { transitions = {} } = lifecycles.get(type.lifecycle ?? '') ?? {}
    requireKnown(named, 'transition', type.ownTransitions, new Map(Object.entries(transitions)))
  }
  if (extendsItself(type, types)) throw modelMistake({ ...named, reason: 'extends itself' })
}

function extendsItself({ extends: parent }: DocumentType, types: ReadonlyMap<string, DocumentType>): boolean {
  const seen = new Set<string>()
  for (let name = parent; name !== undefined; name = types.get(name)?.extends) {
    if (seen.has(name)) return true
    seen.add(name)
  }
  return false
}

function requireSoundLifecycle(lifecycle: Lifecycle): void {
  const { name, states, transitions } = lifecycle
  const mistake = (reason: string) => modelMistake({ kind: 'lifecycle', name, definition: lifecycle, reason })
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

function requireSoundPermissions(
  permissions: readonly Permission[],
  visible: readonly VisiblePermission[],
  { types }: Known,
): void {
  const known = byName('permission', permissions)
  for (const one of permissions)
    requireKnown({ kind: 'permission', name: one.name, definition: one }, 'permission', one.includes, known)
  for (const one of visible) {
    const named = { kind: 'visible permission', name: one.name, definition: one }
    requireKnown(named, 'permission', [one.name], known)
    if (one.types !== '*') requireKnown(named, 'document type', one.types, types)
  }
}

function requireSoundRestriction(restriction: VersioningRestriction, { types }: Known): void {
  const { type } = restriction
  if (type === anyType) return
  requireKnown({ kind: 'versioning restriction of', name: type, definition: restriction }, 'document type', [type], types)
}

function requireSoundPolicy(policy: VersioningPolicy, { types, facets, schemas }: Known): void {
  const named = { kind: 'versioning policy', name: policy.id, definition: policy }
  requireKnown(named, 'document type', policy.types, types)
  requireKnown(named, 'facet', policy.facets, facets)
  requireKnown(named, 'schema', policy.schemas, schemas)
}
