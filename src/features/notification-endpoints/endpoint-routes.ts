import type { Session } from '../../core/session.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { addEndpoint, type ChangeRules, removeEndpoint } from './change-endpoints.ts'
import { type Fault, invalid, refuse, resourceNotFound } from './compute-problems.ts'
import { type NotificationEndpoint, parseEndpoint, writeEndpoint } from './endpoint.ts'
import { knownOf, knownOfList, listFields } from './field-mask.ts'
import { endpointFields } from './field-types.ts'
import { type ListedPage, type ListWishes, listEntities, writeList } from './list-entities.ts'
import { answerSpelled, callName, linkBase, type Mount, readObject, refusals, sharedBy } from './mount.ts'
import { answerOperation } from './operation-routes.ts'
import { aggregatedParameters, changeParameters, listParameters, readParameters, spelledSchemas } from './schemas.ts'
import { endpointName, requireAdministrator, requireName, requireProject, requireScope, scopeName } from './scope.ts'
import type { JsonFields } from './spelling.ts'
import { findEndpoint, listEndpoints } from './stored-endpoints.ts'

export function endpointRoutes(mount: Mount, regions: readonly string[], rules: ChangeRules): readonly Route[] {
  const schemas = spelledSchemas[mount.spelling]
  const shared = sharedBy(mount)
  const listPath = `${mount.prefix}/projects/{project}/regions/{region}/notificationEndpoints`
  const onePath = `${listPath}/{notificationEndpointId}`
  return [
    defineRoute({
      ...shared,
      operationId: callName(mount, 'insertNotificationEndpoint'),
      method: 'POST',
      path: listPath,
      summary: 'Add a notification endpoint; for administrators',
      query: changeParameters,
      streamsBody: true,
      answers: { 200: schemas.operation, ...refusals, 409: 'there is one of that name', 429: 'the region is full' },
      async handle(exchange, parameters, { query }) {
        requireAdministrator(exchange, 'insert', parameters)
        const scope = requireScope(parameters, regions)
        const faults: Fault[] = []
        const endpoint = parseEndpoint(await readObject(exchange.request), faults)
        const requestId = parseRequestId(query.requestId, faults)
        if (faults.length > 0 || endpoint === undefined) return refuse(...faults)
        const operation = await exchange.directories.write((session) => addEndpoint(session, scope, endpoint, requestId, rules))
        return answerOperation(mount, exchange, query, operation)
      },
    }),
    defineRoute({
      ...shared,
      operationId: callName(mount, 'deleteNotificationEndpoint'),
      method: 'DELETE',
      path: onePath,
      summary: 'Remove a notification endpoint for good; for administrators',
      query: changeParameters,
      ignoresBody: true,
      answers: { 200: schemas.operation, ...refusals },
      async handle(exchange, parameters, { query }) {
        requireAdministrator(exchange, 'delete', parameters)
        const scope = requireScope(parameters, regions)
        const faults: Fault[] = []
        const requestId = parseRequestId(query.requestId, faults)
        if (faults.length > 0) return refuse(...faults)
        const name = requireName(parameters['notificationEndpointId'], (shown) => endpointName(scope, shown))
        const operation = await exchange.directories.write((session) => removeEndpoint(session, scope, name, requestId, rules))
        return answerOperation(mount, exchange, query, operation)
      },
    }),
    defineRoute({
      ...shared,
      operationId: callName(mount, 'getNotificationEndpoint'),
      method: 'GET',
      path: onePath,
      summary: 'A notification endpoint, by its name or id',
      query: readParameters,
      answers: { 200: schemas.endpoint, ...refusals },
      async handle(exchange, parameters, { query }) {
        const scope = requireScope(parameters, regions)
        const name = requireName(parameters['notificationEndpointId'], (shown) => endpointName(scope, shown))
        const found = await exchange.directories.read((session) => findEndpoint(session, scope.project, scope.region, name))
        if (found === undefined) throw resourceNotFound({ resource: endpointName(scope, name) })
        return answerSpelled(mount, query, writeEndpoint(found, linkBase(mount, exchange.request)), knownOf(endpointFields))
      },
    }),
    defineRoute({
      ...shared,
      operationId: callName(mount, 'listNotificationEndpoints'),
      method: 'GET',
      path: listPath,
      summary: 'The notification endpoints of a region',
      query: listParameters,
      answers: { 200: schemas.endpoints, ...refusals },
      async handle(exchange, parameters, { query }) {
        const scope = requireScope(parameters, regions)
        const id = `${scopeName(scope)}/notificationEndpoints`
        const base = linkBase(mount, exchange.request)
        const page = await exchange.directories.read((session) => listIn(session, scope.project, [scope.region], id, base, query))
        const list = writeList(mount, 'compute#notificationEndpointList', id, base, page)
        return answerSpelled(mount, query, list, knownOfList(endpointFields))
      },
    }),
    defineRoute({
      ...shared,
      operationId: callName(mount, 'aggregateNotificationEndpoints'),
      method: 'GET',
      path: `${mount.prefix}/projects/{project}/aggregated/notificationEndpoints`,
      summary: 'The notification endpoints of all regions',
      query: aggregatedParameters,
      answers: { 200: schemas.aggregated, 400: refusals[400] },
      async handle(exchange, parameters, { query }) {
        const project = requireProject(parameters['project'])
        const id = `projects/${project}/aggregated/notificationEndpoints`
        const base = linkBase(mount, exchange.request)
        const page = await exchange.directories.read((session) => listIn(session, project, regions, id, base, query))
        const { nextPageToken } = page
        const aggregated = {
          kind: 'compute#notificationEndpointAggregatedList',
          id,
          items: writeScopes(scopesOf(regions, query.includeAllScopes), page),
          ...(nextPageToken !== undefined && { nextPageToken }),
          selfLink: `${base}/${id}`,
        }
        return answerSpelled(mount, query, aggregated, { ...listFields, items: true })
      },
    }),
  ]
}

function listIn(
  session: Session,
  project: string,
  regions: readonly string[],
  address: string,
  base: string,
  wishes: ListWishes,
): Promise<ListedPage<NotificationEndpoint>> {
  return listEntities(
    {
      address,
      fields: endpointFields,
      read: (order, after, limit) => listEndpoints(session, project, regions, order, after, limit),
      keyOf: ({ id, name, created }, { by }) => ({ value: by === 'name' ? name : created, id }),
      write: (one) => writeEndpoint(one, base),
    },
    wishes,
  )
}

/** Endpoints are in regions only; whoever asks for all scopes is told of the other one, too. */
function scopesOf(regions: readonly string[], includeAllScopes: string | undefined): readonly string[] {
  const inRegions = regions.map((region) => `regions/${region}`)
  return includeAllScopes?.toLowerCase() === 'true' ? ['global', ...inRegions] : inRegions
}

/** By scope; those without any are on the first page. */
function writeScopes(scopes: readonly string[], { entries, isFirst }: ListedPage<NotificationEndpoint>): JsonFields {
  const written: { [scope: string]: JsonFields } = {}
  for (const scope of scopes) {
    const inScope = entries.filter(({ stored }) => `regions/${stored.region}` === scope)
    if (inScope.length > 0) written[scope] = { resources: inScope.map((one) => one.written) }
    else if (isFirst) written[scope] = { warning: noResultsIn(scope) }
  }
  return written
}

function noResultsIn(scope: string): JsonFields {
  return {
    code: 'NO_RESULTS_ON_PAGE',
    message: `There are no results for scope '${scope}' on this page.`,
    data: [{ key: 'scope', value: scope }],
  }
}

const noRequest = '00000000-0000-0000-0000-000000000000'

/** The id by which a client makes a repeated request known. */
function parseRequestId(text: string | undefined, faults: Fault[]): string | undefined {
  if (text === undefined || text === '') return undefined
  const id = text.toLowerCase()
  const isId = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(id) && id !== noRequest
  if (!isId)
    faults.push(
      invalid(`Invalid value for field 'requestId': '${text.slice(0, 50)}'. Must be a UUID that is not all zeros.`, 'requestId'),
    )
  return id
}
