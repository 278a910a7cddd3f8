import { Type } from '../../rest/openapi/schema.ts'
import { answerOfAnyCall, invalidCall } from '../../rest/render/value-entity.ts'
import type { Description } from '../../rest/route.ts'

/** The JSON of a call, for the documentation. */
export const callSchema = Type.Object(
  {
    params: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Parameters by name' })),
    context: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Variables that the operation may read' })),
    input: Type.Optional(
      Type.Unknown({ description: 'What to work on: `doc:` and an id or path, `docs:` and several, an entity, or any value' }),
    ),
    documentProperties: Type.Optional(Type.String({ description: 'As the header X-NXDocumentProperties' })),
  },
  { $id: 'OperationCall', additionalProperties: true },
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
  acceptsForms: true,
  answers: answersOfCalls,
} as const satisfies Partial<Description>

/** The same where the body may be left out. */
export const optionalCallDescription = {
  body: Type.Optional(callSchema),
  answers: answersOfCalls,
} as const satisfies Partial<Description>
