import { defineProblem } from '../../base/problem.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { type Fields, type Refused, Type } from '../openapi/schema.ts'

export const notAnObject = defineProblem('notAnObject', 'invalid', (_: object) => 'Json does not contain an object as expected')

export const entityTypeMissing = defineProblem(
  'entityTypeMissing',
  'invalid',
  (_: object) => 'Json object does not contain an entity-type field as expected',
)

export const entityTypeWrong = defineProblem(
  'entityTypeWrong',
  'invalid',
  (of: { expected: string; actual: string }) =>
    `Json object entity-type is wrong. Expected is ${of.expected} but was ${of.actual}`,
)

/**
 * The body of a request that has to be an entity of that type, refused in the words that clients know.
 * @example
 * const tagBody = entityBody('tag', { label: Type.Text({ description: 'What is shown' }) })
 */
export function entityBody<const Name extends string, Known extends Fields>(
  entityType: Name,
  fields: Known,
  examples?: readonly object[],
) {
  const type = Type.Refused(Type.Literal(entityType), ({ value }) => refuseType(entityType, value))
  const body = Type.Object({ 'entity-type': type, ...fields }, { additionalProperties: true, ...(examples && { examples }) })
  return Type.Refused(body, () => notAnObject({}))
}

function refuseType(expected: string, actual: Refused['value']) {
  return typeof actual === 'string' ? entityTypeWrong({ expected, actual }) : entityTypeMissing({})
}

/** The text under the key; undefined when it is missing, blank or no text. */
export function findText(json: JsonObject, key: string): string | undefined {
  const value = json[key]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
