import { defineProblem } from '../../base/problem.ts'
import { type Schema, Type } from '../../rest/openapi/schema.ts'

const parameterMissing = defineProblem(
  'tokenParameterMissing',
  'invalid',
  (of: { name: string }) => `The parameter ${of.name} is missing or empty. Send it.`,
)

const parameterNotAllowed = defineProblem(
  'tokenParameterNotAllowed',
  'invalid',
  (of: { name: string; maxLength: number }) =>
    `The parameter ${of.name} must have at most ${of.maxLength} characters, and no line breaks or other control characters.`,
)

const maxDescription = 1_000
const maxName = 200

/** A line of text that a program tells of itself; programs show it in lists, and the answer repeats it. */
function line(maxLength: number, description: string): Schema<string> {
  const schema = Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f\\ufffd]*$', description })
  return Type.Refused(schema, ({ name, value }) =>
    value === undefined || value === '' ? parameterMissing({ name }) : parameterNotAllowed({ name, maxLength }),
  )
}

/** What a token is bound to, and what is said about it, by the names that the parameters have in both doors. */
export const tokenParameters = {
  application: line(maxName, 'The program that the token is for'),
  deviceId: line(maxName, 'The device that the program runs on'),
  permission: line(maxName, 'What the program needs, `r` or `rw`; nothing enforces it'),
  deviceDescription: line(maxDescription, 'What a person knows the device by'),
} as const
