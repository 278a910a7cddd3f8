import { memoised, memoisedByText } from '../../base/cache/memo.ts'
import { isIsoDate } from '../../base/iso-date.ts'
import { defineProblem } from '../../base/problem.ts'
import { unreachable } from '../../base/unreachable.ts'
import type { Constraint, Field, FieldType, Interval, Resolver, ScalarKind, ScalarType } from '../field.ts'
import type { PropertyDefinition, Shape } from '../shape.ts'
import { isMaximumInclusive, isMinimumInclusive, notNull, type Rule } from './constraint.ts'
import { isLong } from './long.ts'
import { isBlobValue, isComplexValue, isUnset, type Properties, type PropertyValue } from './property.ts'
import { type PathNode, type Violation, type ViolationPlace, xpathOf } from './violation.ts'
import { violationMessage } from './violation-message.ts'

/** A value that is right if what it refers to exists, which only the caller can find out. */
export interface ReferenceToCheck extends ViolationPlace {
  readonly resolver: Resolver
  readonly value: string
}

export interface ValidationResult {
  readonly violations: readonly Violation[]
  readonly references: readonly ReferenceToCheck[]
}

export const validationFailed = defineProblem(
  'validationFailed',
  'invalid',
  ({ violations }: { violations: readonly [Violation, ...Violation[]] }) => {
    const [first] = violations
    const where = `thrown on property ${xpathOf(first)}: '${violationMessage(first, 'en')}'`
    const isOnlyOne = violations.length === 1
    return isOnlyOne
      ? `Constraint violation ${where}`
      : `${violations.length} constraint violation(s) thrown. First one is ${where}`
  },
)

/** @throws validationFailed unless the list is empty. */
export function requireNoViolations([first, ...others]: readonly Violation[]): void {
  if (first !== undefined) throw validationFailed({ violations: [first, ...others] })
}

/**
 * Checks the properties of a document against its shape: all of them, or those named. All violations are found, not only
 * the first. The references still have to be looked up; what is not found becomes a violation by `violationOfReference`.
 */
export function validate(shape: Shape, properties: Properties, names?: ReadonlySet<string>): ValidationResult {
  const findings: Findings = { violations: [], references: [] }
  for (const property of names === undefined ? propertiesOf(shape) : named(shape, names)) {
    const { name, schema, field } = property
    // Most are unset, and those that may be have no place in any finding.
    if (field.nillable && isUnset(properties[name] ?? null)) continue
    checkField(field, properties[name] ?? null, { schema: schema.name, fieldName: name }, findings)
  }
  return findings
}

export function violationOfReference({ resolver, value, schema, path }: ReferenceToCheck): Violation {
  return { constraint: resolver, invalidValue: value, schema, path }
}

// Gone through for each new document, for which the iterator of a map makes a pair and a result for each.
const propertiesOf = memoised((shape: Shape): readonly PropertyDefinition[] => [...shape.properties.values()])

function named(shape: Shape, names: ReadonlySet<string>): readonly PropertyDefinition[] {
  return [...names].flatMap((name) => shape.properties.get(name) ?? [])
}

interface Findings {
  readonly violations: Violation[]
  readonly references: ReferenceToCheck[]
}

/** A value that is being checked; its whole path is put together for the few that something is found about. */
interface CheckedPlace {
  readonly schema: string
  readonly fieldName: string
  /** Of an item of a list. */
  readonly index?: number
  readonly within?: CheckedPlace
}

function placeOf(checked: CheckedPlace): ViolationPlace {
  const path: PathNode[] = []
  for (let at: CheckedPlace | undefined = checked; at !== undefined; at = at.within) {
    const { fieldName, index } = at
    path.unshift(index === undefined ? { fieldName, isListItem: false } : { fieldName, isListItem: true, index })
  }
  return { schema: checked.schema, path }
}

function checkField(field: Field, value: PropertyValue, place: CheckedPlace, findings: Findings): void {
  const { type } = field
  if (isUnset(value)) {
    if (!field.nillable && isUnset(field.defaultValue)) report(notNull, value, place, findings)
  } else if (!isOfType(type, value)) {
    report({ kind: 'type', type: type.kind }, value, place, findings)
  } else if (type.kind === 'list') {
    checkItems(type.item, value as readonly PropertyValue[], place, findings)
  } else if (type.kind === 'complex') {
    checkMembers(type.fields, value as Properties, place, findings)
  } else if (type.kind !== 'blob') {
    checkScalar(type, value as Scalar, place, findings)
  }
}

function checkItems(item: Field, values: readonly PropertyValue[], within: CheckedPlace, findings: Findings): void {
  const { schema } = within
  for (let index = 0; index < values.length; index++) {
    checkField(item, values[index] ?? null, { schema, fieldName: item.name, index, within }, findings)
  }
}

function checkMembers(fields: readonly Field[], members: Properties, within: CheckedPlace, findings: Findings): void {
  const { schema } = within
  for (const field of fields) {
    const value = members[field.name] ?? null
    if (field.nillable && isUnset(value)) continue
    checkField(field, value, { schema, fieldName: field.name, within }, findings)
  }
}

type Scalar = string | number | bigint | boolean

function checkScalar(type: ScalarType, value: Scalar, place: CheckedPlace, findings: Findings): void {
  for (const constraint of type.constraints) {
    if (!satisfies(constraint, value)) report(constraint, value, place, findings)
  }
  const { resolver } = type
  if (resolver?.validation) findings.references.push({ resolver, value: String(value), ...placeOf(place) })
}

function report(constraint: Rule, invalidValue: PropertyValue, place: CheckedPlace, findings: Findings): void {
  findings.violations.push({ constraint, invalidValue, ...placeOf(place) })
}

function isOfType(type: FieldType, value: PropertyValue): boolean {
  switch (type.kind) {
    case 'list':
      return Array.isArray(value)
    case 'complex':
      return isComplexValue(value)
    case 'blob':
      return isBlobValue(value)
    default:
      return isOfKind(type.kind, value)
  }
}

function isOfKind(kind: ScalarKind, value: PropertyValue): boolean {
  switch (kind) {
    case 'string':
    case 'binary':
      return typeof value === 'string'
    case 'long':
      return isLong(value)
    case 'double':
      // A large one comes back from the store as digits, hence as a bigint.
      return typeof value === 'bigint' || Number.isFinite(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return typeof value === 'string' && isIsoDate(value)
    default:
      return unreachable(kind)
  }
}

/** Whether a value of the right type keeps to the constraint. */
export function satisfies(constraint: Constraint, value: string | number | bigint | boolean): boolean {
  switch (constraint.kind) {
    case 'length':
      return isWithin(constraint, String(value).length)
    case 'pattern':
      return fullMatch(constraint.pattern).test(String(value))
    case 'enum':
      return constraint.values.includes(String(value))
    case 'numericInterval':
      return isWithin(constraint, value as number | bigint)
    case 'dateInterval':
      // Bounds are days, and a moment belongs to its whole day.
      return isWithin(constraint, String(value).slice(0, 'YYYY-MM-DD'.length))
    default:
      return unreachable(constraint)
  }
}

function isWithin(interval: Interval<number | string>, value: number | bigint | string): boolean {
  const { minimum, maximum } = interval
  const isHighEnough = minimum === undefined || value > minimum || (isMinimumInclusive(interval) && value >= minimum)
  const isLowEnough = maximum === undefined || value < maximum || (isMaximumInclusive(interval) && value <= maximum)
  return isHighEnough && isLowEnough
}

/**
 * The expression that matches a whole text by the pattern of a schema.
 * @throws SyntaxError when it is no regular expression.
 */
export const fullMatch = memoisedByText((pattern) => new RegExp(`^(?:${pattern})$`, 'u'), { maxEntries: 1_000 })
