import type { FieldType } from '../../../model/field.ts'
import type { Model } from '../../../model/model.ts'
import { createBindingTable } from '../../../nxql/check/binding-table.ts'
import { findPathLevel } from '../../../nxql/check/check-hint.ts'
import { findField } from '../../../nxql/check/field-path.ts'
import type { ValueType } from '../../../nxql/reference.ts'
import { type SystemName, systemProperties } from '../../../nxql/system-properties.ts'
import type { SummaryField } from '../../../store/search.ts'
import { listed } from '../query/nxql-text.ts'

/** What an aggregate is about: as the store knows it, and how a query asks for it. */
export interface AggregateField {
  readonly summary: SummaryField
  readonly type: ValueType
  /** The condition of having one of the values. */
  isOneOf(values: readonly TermLiteral[]): string
  /** The name in conditions; inside lists, `item` is the number of the wildcard that all of them mean. */
  nameOf(item: number): string
}

/** A value as its key reads, and as a query does. */
export interface TermLiteral {
  readonly key: string
  readonly literal: string
}

// Of what the server knows about documents beside their properties, what is worth counting.
const systemFields: readonly SystemName[] = [
  'ecm:primaryType',
  'ecm:currentLifeCycleState',
  'ecm:versionLabel',
  'ecm:isProxy',
  'ecm:isTrashed',
  'ecm:isRecord',
  'ecm:hasLegalHold',
  'ecm:retainUntil',
]

/** Undefined for what cannot be summarised. */
export function findAggregateField(model: Model, written: string): AggregateField | undefined {
  if (written === 'ecm:mixinType') return facets(model)
  if (written === 'ecm:tag') return propertyField(model, 'nxtag:tags/*/label')
  const level = findPathLevel(written)
  if (level !== undefined) return pathSegment(level)
  return written.startsWith('ecm:') ? systemField(written) : propertyField(model, written)
}

function facets(model: Model): AggregateField {
  return {
    summary: { kind: 'facets', facetsOf: (type) => model.shapeOf({ type }).facets },
    type: 'string',
    isOneOf: (values) => `ecm:mixinType IN ${listed(values.map(({ literal }) => literal))}`,
    nameOf: () => 'ecm:mixinType',
  }
}

function pathSegment(depth: number): AggregateField {
  const name = `/*+ES: INDEX(ecm:path@level${depth}) */ ecm:path`
  return { summary: { kind: 'pathSegment', depth }, type: 'string', isOneOf: oneOf(name, 'string'), nameOf: () => 'ecm:path' }
}

function systemField(written: string): AggregateField | undefined {
  const name = systemFields.find((one) => one === written)
  if (name === undefined) return undefined
  const { type } = systemProperties[name]
  const reference = { kind: 'system', name, type, isList: false, identity: name } as const
  return { summary: { kind: 'reference', reference }, type, isOneOf: oneOf(name, type), nameOf: () => name }
}

function propertyField(model: Model, written: string): AggregateField | undefined {
  const path = itemPath(model, written) ?? itemPath(model, written.replaceAll('.', '/'))
  const reference = path && findField(model, createBindingTable(), path)
  if (!path || !reference) return undefined
  const { type, isList } = reference
  const item = isList ? `${path}/*` : path
  return {
    summary: { kind: 'reference', reference },
    type,
    isOneOf: oneOf(path, type),
    nameOf: (number) => item.replaceAll(/\*(?=\/|$)/g, `*${number}`),
  }
}

/** The path with a wildcard wherever it leads through a list without saying to which item. */
function itemPath(model: Model, written: string): string | undefined {
  const [head = '', ...steps] = written.split('/')
  const property = model.findProperty(head)
  if (property === undefined) return undefined
  let type: FieldType | undefined = property.field.type
  const path = [property.name]
  for (const step of steps) {
    const isItem = /^(?:\d+|\*)$/.test(step)
    if (type?.kind === 'list') {
      type = type.item.type
      if (!isItem) path.push('*')
    }
    path.push(step)
    if (!isItem && type?.kind === 'complex') type = type.fields.find((field) => field.name === step)?.type
  }
  return path.join('/')
}

function oneOf(name: string, type: ValueType): AggregateField['isOneOf'] {
  return (values) => {
    const literals = values.map(({ literal }) => literal)
    // Flags are compared with one value at a time.
    const mayBeListed = type !== 'boolean' && literals.length > 1
    return mayBeListed ? `${name} IN ${listed(literals)}` : anyOf(literals.map((literal) => `${name} = ${literal}`))
  }
}

/** A document with one of them is found; of none, none is. */
export function anyOf(conditions: readonly string[]): string {
  if (conditions.length === 0) return '1 = 0'
  return conditions.length === 1 ? conditions.join('') : `(${conditions.join(' OR ')})`
}
