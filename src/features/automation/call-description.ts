import { defineProblem } from '../../base/problem.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { missingBody } from '../../rest/payload/declared-input.ts'
import { notAnObject } from '../../rest/payload/entity-payload.ts'
import { answerOfAnyCall, invalidCall } from '../../rest/render/value-entity.ts'
import { callHeaders } from '../../rest/request/declared-headers.ts'
import type { Description } from '../../rest/route.ts'

const objectExpected = defineProblem(
  'objectExpected',
  'invalid',
  (of: { key: string }) => `The value of ${of.key} must be a JSON object.`,
)

const map = (description: string) =>
  Type.Refused(Type.Optional(Type.Nullable(Type.Map({ description }))), ({ name: key }) => objectExpected({ key }))

/** The JSON of a call. Its parameters and its input are read by what the operation says about them. */
export const callSchema = Type.Refused(
  Type.Object(
    {
      params: map('Parameters by name, read as the operation declares them'),
      context: map('Variables that the operation may read'),
      input: Type.Optional(
        Type.Json({ description: 'What to work on: `doc:` and an id or path, `docs:` and several, an entity, or any value' }),
      ),
      documentProperties: Type.Forgiving(Type.String({ description: 'As the header X-NXDocumentProperties' })),
    },
    { $id: 'OperationCall', additionalProperties: true },
  ),
  ({ value }) => (value === undefined ? missingBody({}) : notAnObject({})),
)

export const answersOfCalls = {
  200: answerOfAnyCall,
  204: 'nothing to give, or nothing wanted (`X-NXVoidOperation: true`)',
  400: invalidCall,
  403: 'a right is missing',
  404: 'there is no such operation, or no such document',
  409: 'somebody else changed the document meanwhile, or its state does not allow it',
} as const

/** How a call is sent, wherever it is sent to. */
export const callDescription = {
  body: callSchema,
  headers: Type.Object(callHeaders),
  acceptsForms: true,
  answers: answersOfCalls,
} as const satisfies Partial<Description>

/** The same where the body may be left out. */
export const optionalCallDescription = {
  body: Type.Optional(Type.Nullable(callSchema)),
  headers: Type.Object(callHeaders),
  answers: answersOfCalls,
} as const satisfies Partial<Description>
