import type { components } from '../../api/entities.ts'
import type { StoredForm } from '../documents/stored-reference.ts'

type Schemas = components['schemas']
type Constraint = Schemas['ValidationConstraint']
type Definitions = Schemas['FieldDefinitions']

/** How a value is edited. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'date' | 'entry' | 'person' | 'document' | 'file' | 'complex'

/** A property as a form needs to know it, whichever plugin defined it. */
export interface Field {
  readonly xpath: string
  readonly kind: FieldKind
  readonly isList: boolean
  readonly isRequired: boolean
  readonly longest?: number
  /** Of an entry. */
  readonly directory?: string
  /** What stands between an entry and the one above it in a stored value. */
  readonly separator?: string
  /** Of a person: groups may stand there, too. */
  readonly takesGroups?: boolean
  /** Of a document. */
  readonly form?: StoredForm
  /** Of a complex value. */
  readonly fields?: readonly Field[]
}

const byResolver: { readonly [constraint: string]: FieldKind } = {
  directoryResolver: 'entry',
  userManagerResolver: 'person',
  documentResolver: 'document',
}
const byType: { readonly [type: string]: FieldKind } = {
  boolean: 'boolean',
  date: 'date',
  blob: 'file',
  complex: 'complex',
  long: 'number',
  integer: 'number',
  double: 'number',
}

/** The fields of a schema, as `fetch.schema=fields` tells of them. */
export function fieldsOf({
  name,
  prefix = name,
  fields,
}: Pick<Schemas['Schema'], 'name' | 'prefix' | 'fields'>): readonly Field[] {
  return fieldsIn(fields, (field) => `${prefix}:${field}`)
}

function fieldsIn(definitions: Definitions, xpathOf: (name: string) => string): readonly Field[] {
  return Object.entries(definitions).map(([name, definition]) => {
    const known = typeof definition === 'string' ? { type: definition } : definition
    const isList = known.type.endsWith('[]')
    const type = isList ? known.type.slice(0, -2) : known.type
    const constraints = (isList ? known.itemConstraints : known.constraints) ?? []
    const resolver = constraints.find((constraint) => byResolver[constraint.name] !== undefined)
    return {
      xpath: xpathOf(name),
      kind: (resolver && byResolver[resolver.name]) ?? byType[type] ?? 'text',
      isList,
      isRequired: (known.constraints ?? []).some((constraint) => constraint.name === 'NotNullConstraint'),
      ...lengthOf(constraints),
      ...resolvedBy(resolver),
      ...(known.fields && { fields: fieldsIn(known.fields, (inner) => inner) }),
    }
  })
}

function lengthOf(constraints: readonly Constraint[]): Pick<Field, 'longest'> {
  const longest = Number(constraints.find(({ name }) => name === 'LengthConstraint')?.parameters['Maximum'])
  return Number.isSafeInteger(longest) ? { longest } : {}
}

function resolvedBy(resolver: Constraint | undefined): Pick<Field, 'directory' | 'separator' | 'takesGroups' | 'form'> {
  const { directory, parentField, separator = '/', includeGroups, store } = resolver?.parameters ?? {}
  return {
    ...(directory !== undefined && { directory }),
    ...(parentField !== undefined && { separator }),
    ...(includeGroups === 'true' && { takesGroups: true }),
    ...(store !== undefined && { form: store as StoredForm }),
  }
}

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}
