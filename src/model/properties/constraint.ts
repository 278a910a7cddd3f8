import { unreachable } from '../../base/unreachable.ts'
import { type Constraint, type Field, type FieldType, type Interval, isScalar, type Resolver } from '../field.ts'

/** Everything that can be wrong with a value: a constraint of its field, its type, a reference, or that it is missing. */
export type Rule = Constraint | Resolver | NotNull | TypeRule

export interface NotNull {
  readonly kind: 'notNull'
}

/** The value must be of the field's type. */
export interface TypeRule {
  readonly kind: 'type'
  readonly type: FieldType['kind']
}

export const notNull: NotNull = { kind: 'notNull' }

export interface ConstraintDescription {
  readonly name: string
  readonly parameters: { readonly [name: string]: string }
}

/** All rules of a field, as introspection lists them. A list has none for being one; those of its items are theirs. */
export function rulesOf({ type, nillable }: Field): readonly Rule[] {
  const rules: Rule[] = isScalar(type) ? [{ kind: 'type', type: type.kind }] : []
  if (!nillable) rules.push(notNull)
  if (isScalar(type)) rules.push(...type.constraints)
  if (isScalar(type) && type.resolver !== undefined) rules.push(type.resolver)
  return rules
}

/** The name and the parameters by which clients know a rule. */
export function describeConstraint(rule: Rule): ConstraintDescription {
  switch (rule.kind) {
    case 'type':
      return { name: rule.type, parameters: {} }
    case 'notNull':
      return { name: 'NotNullConstraint', parameters: {} }
    case 'length':
      return { name: 'LengthConstraint', parameters: texts({ Minimum: rule.minimum, Maximum: rule.maximum }) }
    case 'pattern':
      return { name: 'PatternConstraint', parameters: { Pattern: rule.pattern } }
    case 'enum':
      return { name: 'EnumConstraint', parameters: { Values: `[${rule.values.join(', ')}]` } }
    case 'numericInterval':
      return { name: 'NumericIntervalConstraint', parameters: describeInterval(rule) }
    case 'dateInterval':
      return { name: 'DateIntervalConstraint', parameters: describeInterval(rule) }
    default:
      return describeResolver(rule)
  }
}

function describeResolver(resolver: Resolver): ConstraintDescription {
  const { validation } = resolver
  switch (resolver.kind) {
    case 'user': {
      const includeUsers = resolver.type !== 'group'
      const includeGroups = resolver.type !== 'user'
      return { name: 'userManagerResolver', parameters: texts({ includeUsers, includeGroups, validation }) }
    }
    case 'directory': {
      const { directory, parentField, separator } = resolver
      return { name: 'directoryResolver', parameters: texts({ directory, parentField, separator, validation }) }
    }
    case 'document':
      return { name: 'documentResolver', parameters: texts({ store: resolver.store, validation }) }
    default:
      return unreachable(resolver)
  }
}

function describeInterval(interval: Interval<number | string>): ConstraintDescription['parameters'] {
  const { minimum, maximum } = interval
  return texts({
    Minimum: minimum,
    MinimumInclusive: minimum === undefined ? undefined : isMinimumInclusive(interval),
    Maximum: maximum,
    MaximumInclusive: maximum === undefined ? undefined : isMaximumInclusive(interval),
  })
}

function texts(parameters: { readonly [name: string]: string | number | boolean | undefined }): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

export const isMinimumInclusive = (interval: Interval<unknown>): boolean => interval.minimumInclusive ?? true
export const isMaximumInclusive = (interval: Interval<unknown>): boolean => interval.maximumInclusive ?? true
