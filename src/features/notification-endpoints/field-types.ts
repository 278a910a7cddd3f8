import type { JsonFields } from './spelling.ts'

/** What is known of the fields of an entity, by path in camel case: how values compare, or that it holds other fields. */
export type FieldTypes = { readonly [path: string]: 'text' | 'integer' | 'instant' | 'fields' }

export const endpointFields: FieldTypes = {
  kind: 'text',
  id: 'integer',
  creationTimestamp: 'instant',
  name: 'text',
  description: 'text',
  region: 'text',
  grpcSettings: 'fields',
  'grpcSettings.endpoint': 'text',
  'grpcSettings.retryDurationSec': 'integer',
  'grpcSettings.authority': 'text',
  'grpcSettings.payloadName': 'text',
  'grpcSettings.resendInterval': 'fields',
  'grpcSettings.resendInterval.seconds': 'integer',
  'grpcSettings.resendInterval.nanos': 'integer',
  selfLink: 'text',
}

export const operationFields: FieldTypes = {
  kind: 'text',
  id: 'integer',
  name: 'text',
  operationType: 'text',
  targetLink: 'text',
  targetId: 'integer',
  status: 'text',
  user: 'text',
  progress: 'integer',
  insertTime: 'instant',
  startTime: 'instant',
  endTime: 'instant',
  region: 'text',
  selfLink: 'text',
}

/** The value at a path of fields. */
export function valueAt(entity: JsonFields, path: string): unknown {
  let value: unknown = entity
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as JsonFields)[name]
  }
  return value
}
