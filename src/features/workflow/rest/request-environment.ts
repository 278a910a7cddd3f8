import { nothing } from '../../../automation/values/value.ts'
import type { JsonObject } from '../../../model/properties/coercion.ts'
import { createOperationHost, stageAhead } from '../../../rest/operations/operation-host.ts'
import type { RenderContext } from '../../../rest/render/rendering.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import type { RouteEnvironment } from '../instance/route-context.ts'
import { workflowSettings } from '../settings.ts'

/** What the engine needs of a request. Files that its variables describe are stored before the transaction begins. */
export async function environmentOf(exchange: Exchange, variables: JsonObject = {}): Promise<RouteEnvironment> {
  const staged = await stageAhead(exchange, { params: variables, context: {}, input: nothing })
  return { services: exchange.services, host: createOperationHost(exchange, staged) }
}

/** What expressions get to know of a request that only reads: where it came from, and no files. */
export function readingEnvironment({ session, services, request }: RenderContext): RouteEnvironment {
  const { principal, repository } = session
  const sender = { headers: request.headers, baseUrl: request.baseUrl, signal: new AbortController().signal }
  return { services, host: createOperationHost({ principal, repository, services, request: sender, atEnd: () => undefined }) }
}

const legacyName = 'platform.document.routing.json.format.legacy'

/** Whether variables come as texts, as the server is set up or the request says. */
export function isLegacyFormat({ services, request }: Exchange): boolean {
  const sent = request.query.get(services.vendored(legacyName)) ?? request.query.get(legacyName)
  return sent === null ? services.valuesOf(workflowSettings).workflowJsonLegacy : sent.toLowerCase() === 'true'
}
