import sql, { raw, type Sql } from 'sql-template-tag'
import type { PropertyDefinition } from '../../../model/shape.ts'
import { askedName } from '../../../nxql/document-indexing.ts'
import type {
  AceReference,
  BindingId,
  PropertyReference,
  QueryReference,
  ReferenceStep,
  ValueType,
} from '../../../nxql/reference.ts'
import type { Dialect } from '../dialect.ts'
import { keyLength, propertyKey } from '../documents/property-key.ts'
import type { JsonPlace } from './search-dialect.ts'
import type { Slot } from './search-run.ts'
import { columnProperties, type SystemColumn, systemColumns } from './system-columns.ts'

/** A value that a document, or an item of one of its lists, has in SQL. */
export interface SqlOperand {
  readonly type: ValueType
  /** Null where there is none. */
  readonly exact: Sql
  /** The beginning of a text, by which it is indexed. */
  readonly key?: Sql
  /** Other rows have something in `exact` too, but no value. Never unknown. */
  readonly only?: Sql
  readonly isNullable: boolean
}

/** How a binding is called in a statement. */
export function aliasOf(binding: BindingId): string {
  return `b${binding}`
}

/** A single value; of a list as a whole, see `listOf`. */
export function singleValue(dialect: Dialect, reference: QueryReference): SqlOperand {
  switch (reference.kind) {
    case 'system':
      if (isPosition(reference) && dialect.search.readablePosition !== undefined) {
        return { type: reference.type, exact: dialect.search.readablePosition, isNullable: true }
      }
      return columnValue(dialect, systemColumns.get(reference.name) ?? nowhere, reference.type)
    case 'ace':
      return { type: reference.type, exact: aceMember(dialect, reference), isNullable: true }
    default:
      return propertyValue(dialect, reference)
  }
}

/** The place in a folder: as a number it counts what comes before, also what the caller may not read and must not learn of. */
export function isPosition(reference: QueryReference): boolean {
  return reference.kind === 'system' && reference.name === 'ecm:pos'
}

/** Null for a row that has no value, for what is not a test. */
export function shown({ exact, only }: SqlOperand): Sql {
  return only === undefined ? exact : sql`CASE WHEN ${only} THEN ${exact} END`
}

/** What a value is ordered by: long texts by their beginning, as an index has it. */
export function orderedBy(value: SqlOperand, reference: QueryReference): Sql {
  if (value.key !== undefined) return value.key
  return reference.kind === 'property' && value.type === 'string'
    ? sql`substr(${value.exact}, 1, ${raw(String(keyLength))})`
    : shown(value)
}

// Nothing of it is stored.
const nowhere: SystemColumn = { column: raw('CAST(NULL AS TEXT)'), isNullable: true }

function columnValue(dialect: Dialect, { column, only, isComputedText, isNullable }: SystemColumn, type: ValueType): SqlOperand {
  return { type, exact: isComputedText ? dialect.byCodePoint(column) : column, isNullable, ...(only && { only }) }
}

function propertyValue(dialect: Dialect, { property, steps, type }: PropertyReference): SqlOperand {
  const column = columnProperties.get(property.name)
  if (column !== undefined) return columnValue(dialect, column, type)
  if (steps.length > 0) return { type, exact: scalarAt(dialect, placeOf(property, steps), type), isNullable: true }
  const key = propertyKey(dialect, property.name, type)
  // Only texts are longer than what is indexed of them.
  if (type !== 'string') return { type, exact: key, isNullable: true }
  const exact = dialect.search.text(placeOf(property, steps))
  return { type, exact, isNullable: true, ...(property.field.indexed && { key }) }
}

export function scalarAt({ search }: Dialect, place: JsonPlace, type: ValueType): Sql {
  switch (type) {
    case 'long':
    case 'double':
      return search.number(place)
    case 'boolean':
      return search.flag(place)
    default:
      return search.text(place)
  }
}

const properties = raw('documents.properties')

/** The place behind these steps: from the innermost item that a wildcard chooses, or from the properties. */
export function placeOf(property: PropertyDefinition, steps: readonly ReferenceStep[]): JsonPlace {
  const last = steps.findLastIndex((step) => typeof step === 'object')
  const wildcard = steps[last]
  if (typeof wildcard !== 'object') return { root: { kind: 'json', json: properties }, steps: [property.name, ...names(steps)] }
  return { root: { kind: 'item', alias: aliasOf(wildcard.binding) }, steps: names(steps.slice(last + 1)) }
}

function names(steps: readonly ReferenceStep[]): readonly (string | number)[] {
  return steps.filter((step) => typeof step !== 'object')
}

/** Where a list of texts, numbers … is of which some item is asked for. */
export function listOf({ search }: Dialect, reference: QueryReference): JsonPlace {
  if (reference.kind === 'property') return placeOf(reference.property, reference.steps)
  return { root: { kind: 'json', json: search.indexedValues(askedName(reference.identity)) }, steps: [] }
}

const nowSlot: Slot = (run) => run.now

function aceMember({ search }: Dialect, { binding, member }: AceReference): Sql {
  const alias = aliasOf(binding)
  const at = (name: string): JsonPlace => ({ root: { kind: 'item', alias }, steps: [name] })
  switch (member) {
    case 'principal':
      return search.text(at('username'))
    case 'name':
      return search.text(at('acl'))
    case 'grant':
      return search.flag(at('granted'))
    case 'pos':
      return search.position(alias)
    case 'status': {
      const [begin, end] = [search.text(at('begin')), search.text(at('end'))]
      // An entry counts from its beginning on and until its end, both included (model/rights/acl.ts).
      return sql`CASE WHEN ${begin} IS NULL AND ${end} IS NULL THEN NULL
        WHEN ${end} < ${nowSlot} THEN 2 WHEN ${begin} > ${nowSlot} THEN 0 ELSE 1 END`
    }
    default:
      return search.text(at(member))
  }
}
