import { type Answer, entity, noContent } from '../../rest/answer.ts'
import { Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { ownTokensRoute, requireAdministrator, type TokenSource, tokenRoutesOf } from '../oauth2-tokens/index.ts'
import { authorizationAddress, callbackAddress } from './authorization-address.ts'
import type { CallbackStates } from './callback-state.ts'
import {
  parseProvider,
  providerBody,
  providerEntityType,
  providerSchema,
  providersSchema,
  writeProvider,
} from './provider-entity.ts'
import { findProviderToken, providerTokenMissing, readCurrentToken } from './provider-tokens.ts'
import { addProvider, changeProvider, listProviders, readProvider, removeProvider, type ServiceProvider } from './providers.ts'

const path = '/oauth2/provider'
const refusals = { 403: 'not an administrator' }
const notThere = { 404: 'there is no such service' }

/** Services in which the server acts for users (security 3.1). */
export function providerRoutes(states: CallbackStates, { millis }: { readonly millis: number }): readonly Route[] {
  async function view(exchange: Exchange, provider: ServiceProvider) {
    const { principal, request, services } = exchange
    const { serviceName } = provider
    const token = await exchange.directories.read((session) => findProviderToken(session, serviceName, principal.name))
    const state = await states.create(serviceName, principal.name)
    const authorizationUrl = authorizationAddress(provider, callbackAddress(request.baseUrl, serviceName), state)
    const { vendored } = services.facts
    return writeProvider(provider, { vendored, authorizationUrl, token, showsSecret: principal.isAdministrator })
  }

  async function answerProvider(exchange: Exchange, provider: ServiceProvider): Promise<Answer> {
    return entity(exchange.services.facts.vendored(providerEntityType), await view(exchange, provider))
  }

  const list: Route = {
    method: 'GET',
    path,
    operationId: 'listOAuth2Providers',
    under: 'api',
    summary: 'The services in which the server can act for users',
    answers: { 200: providersSchema },
    async handle(exchange) {
      const providers = await exchange.directories.read(listProviders)
      const entries = await Promise.all(providers.map((provider) => view(exchange, provider)))
      const type = exchange.services.facts.vendored(`${providerEntityType}s`)
      return entity(type, { 'entity-type': type, entries })
    },
  }

  const read: Route = {
    method: 'GET',
    path: `${path}/{providerId}`,
    operationId: 'getOAuth2Provider',
    under: 'api',
    summary: 'One of them, and where the caller consents',
    answers: { 200: providerSchema, ...notThere },
    handle: async (exchange, { providerId = '' }) =>
      answerProvider(exchange, await exchange.directories.read((session) => readProvider(session, providerId))),
  }

  const create = defineRoute({
    method: 'POST',
    path,
    operationId: 'createOAuth2Provider',
    under: 'api',
    summary: 'Add a service',
    body: providerBody,
    answers: { 200: providerSchema, 400: 'not valid', ...refusals, 409: 'there is one of that name' },
    async handle(exchange, _parameters, sent) {
      requireAdministrator(exchange.principal)
      const registration = parseProvider(exchange.services.facts.vendored, sent.body)
      return answerProvider(exchange, await exchange.directories.write((session) => addProvider(session, registration)))
    },
  })

  const update = defineRoute({
    method: 'PUT',
    path: `${path}/{providerId}`,
    operationId: 'updateOAuth2Provider',
    under: 'api',
    summary: 'Replace what is stored of a service; what is not sent is not there any more',
    body: providerBody,
    answers: { 200: providerSchema, 400: 'not valid', ...refusals, ...notThere, 409: 'there is another of that name' },
    async handle(exchange, { providerId = '' }, sent) {
      requireAdministrator(exchange.principal)
      const changed = await exchange.directories.write(async (session) => {
        await session.tx.directories.lock()
        const { entryId } = await readProvider(session, providerId)
        return changeProvider(session, entryId, parseProvider(exchange.services.facts.vendored, sent.body))
      })
      return answerProvider(exchange, changed)
    },
  })

  const remove: Route = {
    method: 'DELETE',
    path: `${path}/{providerId}`,
    operationId: 'deleteOAuth2Provider',
    under: 'api',
    summary: 'Remove a service',
    answers: { 204: 'removed', ...refusals, ...notThere },
    async handle(exchange, { providerId = '' }) {
      requireAdministrator(exchange.principal)
      await exchange.directories.write(async (session) => {
        await session.tx.directories.lock()
        await removeProvider(session, (await readProvider(session, providerId)).entryId)
      })
      return noContent()
    },
  }

  const token: Route = {
    method: 'GET',
    path: `${path}/{providerId}/token`,
    operationId: 'getOAuth2ProviderAccessToken',
    under: 'api',
    summary: 'The caller’s access token for the service, refreshed where it has expired',
    answers: {
      200: Type.Object({ token: Type.String() }, { $id: 'OAuth2ProviderAccessToken' }),
      404: 'there is no such service, or the caller has not consented',
      502: 'the service does not refresh the token',
    },
    async handle(exchange, { providerId = '' }) {
      const { directories, principal } = exchange
      const provider = await directories.read((session) => readProvider(session, providerId))
      const accessToken = await readCurrentToken(directories, provider, principal.name, { millis })
      const contentType = 'application/json; charset=UTF-8'
      const headers = { 'Cache-Control': 'no-store' }
      return { kind: 'text', status: 200, contentType, text: JSON.stringify({ token: accessToken }), headers }
    },
  }

  return [list, read, create, update, remove, token]
}

/** What users agreed with services (security 5). */
const source: TokenSource = {
  segment: 'provider',
  parameter: 'providerId',
  noun: 'OAuth2Provider',
  keyOf: (serviceName) => ({ serviceName }),
  requireKnown: async (session, serviceName) => void (await readProvider(session, serviceName)),
  missing: (serviceName) => providerTokenMissing({ serviceName }),
}

export const providerTokenRoutes: readonly Route[] = [
  ownTokensRoute(source),
  ...tokenRoutesOf(source, '/oauth2/token/provider/{providerId}/user/{userId}'),
  // Deprecated, and still called by older clients.
  ...tokenRoutesOf(source, '/oauth2/token/{providerId}/{userId}', 'OldOAuth2Provider'),
]
