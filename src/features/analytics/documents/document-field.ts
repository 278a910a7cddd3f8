import { type AggregateField, anyOf, findAggregateField } from '../../../core/search/aggregates/aggregate-field.ts'
import { listed } from '../../../core/search/query/nxql-text.ts'
import type { Model } from '../../../model/model.ts'
import { findPathLevel } from '../../../nxql/check/check-hint.ts'
import type { ValueType } from '../../../nxql/reference.ts'
import { findSystemName, type SystemName, type SystemProperty, systemProperties } from '../../../nxql/system-properties.ts'
import { idField } from '../request/condition.ts'

/** What a query asks about a field, and how. */
export interface DocumentField {
  readonly type: ValueType
  /** What may be asked of it: anything, whether it is something, or what it is below. */
  readonly asks: 'anything' | 'equality' | 'children'
  /** Of a list of texts or numbers the list: some item of it is meant. */
  readonly name: string
  /** Whether documents may have none. */
  readonly isNullable: boolean
  /** Whether it is inside of a list of structures, of which a query chooses one item at a time. */
  readonly isInItems: boolean
  readonly isOneOf: (literals: readonly string[]) => string
  /** The name for several conditions on the same item. */
  readonly nameOf: (item: number) => string
  readonly aggregate: AggregateField | undefined
}

// A name gets into the text of a query, so nothing gets in with it; an index chooses an item, and a wildcard would be one of ours.
const nameShape = /^[A-Za-z_][\w:.@-]*(?:\/[A-Za-z0-9_][\w.-]*)*$/

const aliases: ReadonlyMap<string, string> = new Map([
  [idField, 'ecm:uuid'],
  ['ecm:title', 'dc:title'],
])

/** Undefined for what documents do not have. */
export function findDocumentField(model: Model, written: string): DocumentField | undefined {
  const name = aliases.get(written) ?? written
  if (!nameShape.test(name)) return undefined
  if (name === 'ecm:path.children') return childrenField
  if (findPathLevel(name) !== undefined || name === 'ecm:tag') return summarisedField(model, name)
  return name.startsWith('ecm:') ? systemField(model, name) : summarisedField(model, name)
}

const childrenField: DocumentField = {
  type: 'string',
  asks: 'children',
  name: 'ecm:path',
  isNullable: false,
  isInItems: false,
  isOneOf: (literals) => anyOf(literals.flatMap((one) => [`ecm:path = ${one}`, `ecm:path STARTSWITH ${one}`])),
  nameOf: () => 'ecm:path',
  aggregate: undefined,
}

const unasked: readonly SystemName[] = ['ecm:blobKeys', 'ecm:fulltextJobId']
const nullable: readonly SystemName[] = [
  'ecm:parentId',
  'ecm:pos',
  'ecm:retainUntil',
  'ecm:versionLabel',
  'ecm:versionDescription',
  'ecm:versionCreated',
  'ecm:versionVersionableId',
  'ecm:proxyTargetId',
  'ecm:proxyVersionableId',
  'ecm:lockOwner',
  'ecm:lockCreated',
]

function systemField(model: Model, written: string): DocumentField | undefined {
  const name = findSystemName(written)
  if (name === undefined || unasked.includes(name)) return undefined
  const { type, rule }: SystemProperty = systemProperties[name]
  const isOneOf = (literals: readonly string[]) =>
    rule === undefined && literals.length > 1
      ? `${name} IN ${listed(literals)}`
      : anyOf(literals.map((one) => `${name} = ${one}`))
  const isColumn = rule === undefined || rule === 'flag' || rule === 'path'
  const reference = { kind: 'system', name, type, isList: false, identity: name } as const
  const own: AggregateField = {
    summary: { kind: 'reference', reference },
    type,
    isOneOf: (values) => isOneOf(values.map(({ literal }) => literal)),
    nameOf: () => name,
  }
  return {
    type,
    asks: rule === undefined ? 'anything' : 'equality',
    name,
    isNullable: nullable.includes(name),
    isInItems: false,
    isOneOf,
    nameOf: () => name,
    aggregate: findAggregateField(model, name) ?? (isColumn ? own : undefined),
  }
}

function summarisedField(model: Model, written: string): DocumentField | undefined {
  const aggregate = findAggregateField(model, written)
  if (aggregate === undefined) return undefined
  const { type, summary } = aggregate
  const name = aggregate.nameOf(0).replace(/\/\*0$/, '')
  return {
    type,
    asks: summary.kind === 'reference' ? 'anything' : 'equality',
    name,
    isNullable: summary.kind === 'reference',
    isInItems: name.includes('*'),
    isOneOf: (literals) => aggregate.isOneOf(literals.map((literal) => ({ key: literal, literal }))),
    nameOf: aggregate.nameOf,
    aggregate,
  }
}
