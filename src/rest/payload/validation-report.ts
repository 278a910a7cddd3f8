import { shortened } from '../../base/shortened.ts'
import { describeConstraint } from '../../model/properties/constraint.ts'
import { invalidValueText, type PathNode, type Violation } from '../../model/properties/violation.ts'
import { violationMessage } from '../../model/properties/violation-message.ts'
import { type Static, Type } from '../openapi/schema.ts'
import { bestLanguage } from '../request/accept-language.ts'

// No user reads more, and each repeats its path, its rule and its value.
const maxReported = 100
const shownCharacters = 10_000

/** A rule that values keep to. */
export const constraintSchema = Type.Object(
  {
    'entity-type': Type.Literal('validation_constraint'),
    name: Type.String({ description: 'The type of the value, such as string, or a rule, such as LengthConstraint' }),
    parameters: Type.Record(Type.String()),
  },
  { $id: 'ValidationConstraint' },
)

const pathNodeSchema = Type.Object({
  field_name: Type.String(),
  is_list_item: Type.Boolean(),
  index: Type.Optional(Type.Integer()),
})

export const validationReportSchema = Type.Object(
  {
    'entity-type': Type.Literal('validation_report'),
    has_error: Type.Boolean(),
    number: Type.Integer(),
    message: Type.Optional(Type.String({ description: 'How many are not listed' })),
    violations: Type.Array(
      Type.Object({
        message: Type.String(),
        invalid_value: Type.Nullable(Type.String()),
        constraint: constraintSchema,
        path: Type.Array(pathNodeSchema),
      }),
    ),
  },
  { $id: 'ValidationReport', description: 'Why the properties of a document are not valid' },
)

/** The `validation_report` entity with the first hundred, its messages in the best language there is for the request. */
export function writeValidationReport(
  violations: readonly Violation[],
  locales: readonly string[],
): Static<typeof validationReportSchema> {
  const language = bestLanguage(locales, ['en', 'fr'], 'en')
  return {
    'entity-type': 'validation_report',
    has_error: violations.length > 0,
    number: violations.length,
    ...(violations.length > maxReported && { message: `and ${violations.length - maxReported} more` }),
    violations: violations.slice(0, maxReported).map((violation) => ({
      message: violationMessage(violation, language),
      invalid_value: shownValue(violation),
      constraint: { 'entity-type': 'validation_constraint', ...describeConstraint(violation.constraint) },
      path: violation.path.map(writePathNode),
    })),
  }
}

function shownValue(violation: Violation): string | null {
  const text = invalidValueText(violation)
  return text === null ? null : shortened(text, shownCharacters)
}

function writePathNode({ fieldName, isListItem, index }: PathNode): Static<typeof pathNodeSchema> {
  return { field_name: fieldName, is_list_item: isListItem, ...(isListItem && index !== undefined && { index }) }
}
