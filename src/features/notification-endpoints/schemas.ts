import { type Fields, isOptional, type ObjectSchema, type Schema, Type } from '../../rest/openapi/schema.ts'
import { snakeOf } from './spelling.ts'

const text = Type.Optional(Type.String())
const integer = Type.Optional(Type.Integer())
const moment = Type.Optional(Type.Moment())
const longText = Type.Optional(Type.String({ description: '64 bits, as decimal digits' }))

const resendInterval = Type.Object({
  seconds: Type.Optional(Type.Union([Type.String(), Type.Integer()], { description: 'From 600 to 3600' })),
  nanos: integer,
})

const grpcSettings = Type.Object({
  endpoint: Type.Optional(Type.String({ description: 'host, host:port or dns:///host:port' })),
  retryDurationSec: Type.Optional(Type.Integer({ description: 'From 1 to 1200; 30 unless told otherwise' })),
  authority: text,
  payloadName: text,
  resendInterval: Type.Optional(Type.Union([resendInterval, Type.String()], { description: 'Also as text: 900s' })),
})

// Any field may be left out of an answer by the parameter `fields`.
const endpoint = Type.Object({
  kind: text,
  id: longText,
  creationTimestamp: moment,
  name: text,
  description: text,
  region: text,
  grpcSettings: Type.Optional(grpcSettings),
  selfLink: text,
})

const operation = Type.Object({
  kind: text,
  id: longText,
  name: text,
  operationType: Type.Optional(Type.Enum(['insert', 'delete'])),
  targetLink: text,
  targetId: longText,
  status: Type.Optional(Type.Enum(['PENDING', 'RUNNING', 'DONE'])),
  user: text,
  progress: integer,
  insertTime: moment,
  startTime: moment,
  endTime: moment,
  region: text,
  selfLink: text,
})

const deliveryStatus = Type.Object({
  queued: Type.Optional(Type.Integer({ description: 'Events that wait; at most 10000 are counted' })),
  delivered: integer,
  failed: Type.Optional(Type.Integer({ description: 'Events that were given up' })),
  lastAttempt: Type.Optional(Type.Nullable(Type.Moment())),
  lastError: Type.Optional(Type.Nullable(Type.String())),
})

const scoped = Type.Object({
  resources: Type.Optional(Type.Array(endpoint)),
  warning: Type.Optional(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      data: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
    }),
  ),
})

function listOf(items: Schema): ObjectSchema {
  return Type.Object({ kind: text, id: text, items: Type.Optional(items), nextPageToken: text, selfLink: text })
}

/** What is sent and answered, in either spelling; the one that is usual at a mount comes first. */
export const spelledSchemas = {
  camel: {
    endpoint: either(endpoint, 'camel'),
    operation: either(operation, 'camel'),
    endpoints: either(listOf(Type.Array(endpoint)), 'camel'),
    operations: either(listOf(Type.Array(operation)), 'camel'),
    aggregated: either(listOf(Type.Record(scoped)), 'camel'),
    deliveryStatus: either(deliveryStatus, 'camel'),
  },
  snake: {
    endpoint: either(endpoint, 'snake'),
    operation: either(operation, 'snake'),
    endpoints: either(listOf(Type.Array(endpoint)), 'snake'),
    operations: either(listOf(Type.Array(operation)), 'snake'),
    aggregated: either(listOf(Type.Record(scoped)), 'snake'),
    deliveryStatus: either(deliveryStatus, 'snake'),
  },
} as const

function either(schema: Schema, first: 'camel' | 'snake'): Schema {
  const spelled = [schema, snakeSchema(schema)]
  return Type.Union(first === 'camel' ? spelled : spelled.toReversed())
}

/** The schema with its fields in snake case. */
function snakeSchema(schema: Schema): Schema {
  const { properties, items, anyOf, additionalProperties } = schema
  return {
    ...schema,
    ...(properties !== undefined && Type.Object(snakeFields(properties))),
    ...(items !== undefined && { items: snakeSchema(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(snakeSchema) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: snakeSchema(additionalProperties) }),
  }
}

function snakeFields(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const spelled = snakeSchema(schema)
      return [snakeOf(name), isOptional(schema) ? Type.Optional(spelled) : spelled]
    }),
  )
}

const ignored = { description: 'Taken and not used' }

/** What every call takes beside its own parameters. */
const commonParameters = {
  fieldNames: Type.Optional(Type.String({ description: 'camel or snake: how the fields of the answer are spelled' })),
  fields: Type.Optional(Type.String({ description: 'The fields that are wanted: items(name,id),nextPageToken' })),
  alt: Type.Optional(Type.String(ignored)),
  prettyPrint: Type.Optional(Type.String(ignored)),
  quotaUser: Type.Optional(Type.String(ignored)),
  key: Type.Optional(Type.String(ignored)),
  userIp: Type.Optional(Type.String(ignored)),
  '$.xgafv': Type.Optional(Type.String(ignored)),
}

export const readParameters = Type.Object(commonParameters)

export const changeParameters = Type.Object({
  requestId: Type.Aliased(Type.Optional(Type.String({ description: 'A UUID: the same request sent again is done once' })), [
    'request_id',
  ]),
  ...commonParameters,
})

export const listParameters = Type.Object({
  filter: Type.Optional(Type.String({ description: 'Which entries: (name = hc-*) AND (grpcSettings.retryDurationSec > 30)' })),
  maxResults: Type.Aliased(Type.Optional(Type.String({ description: 'From 0 to 500; 0 is 500, as is nothing' })), [
    'max_results',
  ]),
  orderBy: Type.Aliased(Type.Optional(Type.String({ description: 'name, creationTimestamp desc or creationTimestamp asc' })), [
    'order_by',
  ]),
  pageToken: Type.Aliased(Type.Optional(Type.String({ description: 'nextPageToken of the page before' })), ['page_token']),
  returnPartialSuccess: Type.Aliased(Type.Optional(Type.String(ignored)), ['return_partial_success']),
  ...commonParameters,
})

export const aggregatedParameters = Type.Object({
  includeAllScopes: Type.Aliased(Type.Optional(Type.String({ description: 'true: also scopes that can have no endpoints' })), [
    'include_all_scopes',
  ]),
  serviceProjectNumber: Type.Aliased(Type.Optional(Type.String(ignored)), ['service_project_number']),
  ...listParameters.properties,
})
