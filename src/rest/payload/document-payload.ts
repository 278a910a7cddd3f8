import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { ApiRequest } from '../request/request.ts'
import type { ServerFacts } from '../services.ts'
import { findText, isJsonObject, parseEntity } from './entity-payload.ts'

/** The `document` entity as a client sends it. Everything else in it is for show and not read. */
export interface DocumentPayload {
  readonly type: string | undefined
  readonly name: string | undefined
  readonly uid: string | undefined
  readonly changeToken: string | undefined
  readonly properties: JsonObject
}

export const typeOrNameMissing = defineProblem('typeOrNameMissing', 'invalid', (_: object) => 'type or name property is missing')

/** @throws notAnObject, entityTypeMissing, entityTypeWrong */
export function parseDocumentPayload(body: Json | undefined): DocumentPayload {
  const entity = parseEntity(body, 'document')
  const { properties } = entity
  return {
    type: findText(entity, 'type'),
    name: findText(entity, 'name'),
    uid: findText(entity, 'uid'),
    changeToken: findText(entity, 'changeToken'),
    properties: isJsonObject(properties) ? properties : {},
  }
}

/** What a new document cannot do without. @throws typeOrNameMissing */
export function requireTypeAndName({ type, name }: DocumentPayload): { readonly type: string; readonly name: string } {
  if (type === undefined || name === undefined) throw typeOrNameMissing({})
  return { type, name }
}

/** Whether the client means nothing when it sends `""`, as old ones do. */
export function isEmptyStringNull(request: Pick<ApiRequest, 'headers'>, facts: Pick<ServerFacts, 'legacyJson'>): boolean {
  const header = request.headers['x-nxdocumentjsonlegacy']
  return typeof header === 'string' && header.trim() !== '' ? header.trim().toLowerCase() === 'true' : facts.legacyJson
}
