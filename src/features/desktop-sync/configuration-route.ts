import { isJsonObject, type Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { json } from '../../rest/answer.ts'
import { Type } from '../../rest/openapi/schema.ts'
import type { Route } from '../../rest/route.ts'
import type { DesktopSyncValues } from './settings.ts'

const optionsSchema = Type.Object(
  {},
  { additionalProperties: true, $id: 'DesktopClientOptions', description: 'Options of desktop clients, by their names' },
)

/** `GET /drive/configuration`: what clients are to do differently here; each of them asks now and then while it runs. */
export function configurationRoute({ desktopSyncConfiguration }: DesktopSyncValues): Route {
  const options = readOptions(desktopSyncConfiguration as Json | undefined)
  return {
    method: 'GET',
    path: '/drive/configuration',
    operationId: 'getDesktopClientConfiguration',
    under: 'api',
    summary: 'The options that desktop clients are to have here',
    answers: { 200: optionsSchema },
    needsAccount: true,
    handle: async () => json(options),
  }
}

const wrongClientOptions = defineProblem(
  'wrongClientOptions',
  'invalid',
  (_: object) => 'desktopSyncConfiguration must be an object of options, as {"delay": 30}',
)

/** @throws wrongClientOptions, which ends the start */
function readOptions(value: Json | undefined): { readonly [name: string]: Json } {
  if (value === undefined || value === null) return {}
  if (!isJsonObject(value)) throw wrongClientOptions({})
  return value
}
