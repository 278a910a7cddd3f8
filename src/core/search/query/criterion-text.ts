import { parseIsoDate } from '../../../base/iso-date.ts'
import { type FieldType, isScalar } from '../../../model/field.ts'
import type { Model } from '../../../model/model.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { createBindingTable } from '../../../nxql/check/binding-table.ts'
import { findField } from '../../../nxql/check/field-path.ts'
import type { ValueType } from '../../../nxql/reference.ts'
import { findSystemName, systemProperties } from '../../../nxql/system-properties.ts'
import type { TimeZone } from '../../../nxql/time-zone.ts'
import { listed, quoted, timestamp } from './nxql-text.ts'
import { type Criterion, itemsOf } from './search-document.ts'

/** What a criterion is compared with: a free parameter is a text that means a value of this type. */
export type ComparedType = ValueType | undefined

/** The literals of a criterion, a list's each; nothing for null and for texts without a word in them. */
export function literalsOf(criterion: Criterion, zone: TimeZone, compared?: ComparedType): readonly string[] {
  const kind = scalarKind(criterion.type)
  const meant = kind === undefined || kind === 'string' ? compared : kind
  return itemsOf(criterion).flatMap((item) => {
    if (item === null || (typeof item === 'string' && item.trim() === '')) return []
    return [literalOf(item, meant, zone)]
  })
}

/** What a named parameter is replaced by in a pattern, where a text is no list in JSON; undefined when it has no value. */
export function patternText(criterion: Criterion, zone: TimeZone): string | undefined {
  const { value } = criterion
  const isList = Array.isArray(value)
  const literals = literalsOf({ ...criterion, value: isList ? value : [value] }, zone)
  return isList && literals.length > 0 ? listed(literals) : literals[0]
}

/** The type of what a query knows by this name. */
export function comparedType(model: Model, name: string): ComparedType {
  const system = findSystemName(name)
  return system === undefined ? findField(model, createBindingTable(), name)?.type : systemProperties[system].type
}

function literalOf(value: PropertyValue, meant: ComparedType, zone: TimeZone): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  const text = String(value).trim()
  return (meant === undefined ? undefined : typedLiterals[meant](text, zone)) ?? quoted(text)
}

/** A text as a literal of the type, where it is one; what it is instead, the compiler says. */
const typedLiterals: { readonly [Type in ValueType]: (text: string, zone: TimeZone) => string | undefined } = {
  string: () => undefined,
  long: (text) => (/^-?\d+$/.test(text) ? text : undefined),
  double: (text) => (/^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? text : undefined),
  boolean: (text) => booleanLiterals.get(text.toLowerCase()),
  date: (text, zone) => {
    const moment = parseIsoDate(text)
    return moment === undefined ? undefined : timestamp(moment, zone)
  },
}

const booleanLiterals: ReadonlyMap<string, string> = new Map([
  ['true', '1'],
  ['1', '1'],
  ['false', '0'],
  ['0', '0'],
])

function scalarKind(type: FieldType | undefined): ComparedType {
  const scalar = type?.kind === 'list' ? type.item.type : type
  if (scalar === undefined || !isScalar(scalar) || scalar.kind === 'binary') return undefined
  return scalar.kind
}
