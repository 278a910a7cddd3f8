import { Type } from '../../../rest/openapi/schema.ts'

export const attemptSchema = Type.Object(
  {
    date: Type.Moment(),
    event: Type.String(),
    documentId: Type.String(),
    outcome: Type.Enum(['delivered', 'unavailable', 'refused']),
    error: Type.Nullable(Type.String()),
    milliseconds: Type.Integer(),
    repository: Type.String(),
    position: Type.Nullable(Type.Integer({ description: 'By which it can be sent again; null for what cannot' })),
    next: Type.Nullable(Type.Moment({ description: 'When it is tried again; null where that was the last attempt' })),
  },
  { $id: 'DeliveryAttempt' },
)

/** What both kinds of targets say of how it stands with them. */
export const deliveryFields = {
  queued: Type.Integer({ description: 'Events that wait; at most 10000 are counted' }),
  delivered: Type.Integer(),
  failed: Type.Integer({ description: 'Events that were given up' }),
  lastAttempt: Type.Nullable(Type.Moment()),
  lastError: Type.Nullable(Type.String()),
  attempts: Type.Array(attemptSchema, { description: 'The last ones, the newest first' }),
}

/** What is to be sent again, as an attempt names it. */
export const sendAgainBody = Type.Object({
  repository: Type.String({ minLength: 1, maxLength: 400 }),
  position: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})
