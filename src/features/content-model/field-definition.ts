import type { Field } from '../../model/field.ts'
import { type ConstraintDescription, describeConstraint, rulesOf } from '../../model/properties/constraint.ts'

/** How fields are shown: by their types alone, or with the rules for their values too (`fetch.schema=fields`). */
export type FieldStyle = 'plain' | 'constrained'

export interface FieldDefinitions {
  readonly [localName: string]: FieldDefinition
}

type FieldDefinition =
  /** `string`, `long[]`, `blob`. */
  | string
  | { readonly type: string; readonly fields: FieldDefinitions }
  | {
      readonly type: string
      readonly constraints: readonly ConstraintEntity[]
      /** Of lists: the rules for each item. */
      readonly itemConstraints?: readonly ConstraintEntity[]
    }

type ConstraintEntity = ConstraintDescription & { readonly 'entity-type': 'validation_constraint' }

export function writeFields(fields: readonly Field[], style: FieldStyle): FieldDefinitions {
  return Object.fromEntries(fields.map((field) => [field.name, writeField(field, style)]))
}

function writeField(field: Field, style: FieldStyle): FieldDefinition {
  const { item, brackets } = withoutBrackets(field)
  if (item.type.kind === 'complex') return { type: `complex${brackets}`, fields: writeFields(item.type.fields, style) }
  const type = `${item.type.kind}${brackets}`
  if (style === 'plain' || item.type.kind === 'blob') return type
  return { type, constraints: writeRules(field), ...(item !== field && { itemConstraints: writeRules(item) }) }
}

/** What the lists of a field hold in the end, and a pair of brackets for each of them. */
function withoutBrackets(field: Field): { readonly item: Field; readonly brackets: string } {
  let item = field
  let brackets = ''
  while (item.type.kind === 'list') {
    item = item.type.item
    brackets += '[]'
  }
  return { item, brackets }
}

function writeRules(field: Field): readonly ConstraintEntity[] {
  return rulesOf(field).map((rule) => ({ 'entity-type': 'validation_constraint', ...describeConstraint(rule) }))
}
