import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import { entity, noContent } from '../../rest/answer.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { oauth2Refused, ownTokensRoute, requireAdministrator, type TokenSource, tokenRoutesOf } from '../oauth2-tokens/index.ts'
import { ownService } from './access-tokens.ts'
import { clientBody, clientSchema, clientsSchema, parseClient, writeClient } from './client-entity.ts'
import { addClient, changeClient, findClient, listClients, type OAuth2Client, removeClient } from './clients.ts'

export const clientNotFound = defineProblem(
  'clientNotFound',
  'notFound',
  (of: { clientId: string }) => `Invalid client: ${of.clientId}`,
)

const tokenMissing = defineProblem(
  'clientTokenMissing',
  'notFound',
  (of: { clientId: string }) => `No token found for client: ${of.clientId}`,
)

/** @throws clientNotFound, clientAmbiguous */
async function readClient(session: Session, clientId: string): Promise<OAuth2Client> {
  const client = await findClient(session, clientId)
  if (client === undefined) throw clientNotFound({ clientId })
  return client
}

const path = '/oauth2/client'
const refusals = { 403: 'not an administrator' }
const notThere = { 404: 'there is no such program' }

/** Programs, for administrators (security 4). */
export function clientRoutes({ isListPublic }: { readonly isListPublic: boolean }): readonly Route[] {
  /** @throws oauth2Refused */
  function requireReader({ principal }: Exchange): { readonly isWhole: boolean } {
    if (!principal.isAdministrator && (!isListPublic || principal.isAnonymous)) throw oauth2Refused({})
    return { isWhole: principal.isAdministrator }
  }

  const list: Route = {
    method: 'GET',
    path,
    operationId: 'listOAuth2Clients',
    under: 'api',
    summary: 'The programs that may ask to act for users',
    answers: { 200: clientsSchema, ...refusals },
    async handle(exchange) {
      const shown = requireReader(exchange)
      const clients = await exchange.directories.read(listClients)
      const entries = clients.map((client) => writeClient(client, shown))
      return entity('oauth2Clients', { 'entity-type': 'oauth2Clients', entries })
    },
  }

  const read: Route = {
    method: 'GET',
    path: `${path}/{clientId}`,
    operationId: 'getOAuth2Client',
    under: 'api',
    summary: 'One of them',
    answers: { 200: clientSchema, ...refusals, ...notThere },
    async handle(exchange, { clientId: id = '' }) {
      const shown = requireReader(exchange)
      return answerClient(await exchange.directories.read((session) => readClient(session, id)), shown)
    },
  }

  return [list, read, create, update, remove]
}

const create = defineRoute({
  method: 'POST',
  path,
  operationId: 'createOAuth2Client',
  under: 'api',
  summary: 'Register a program',
  body: clientBody,
  answers: { 201: clientSchema, 400: 'not valid, or the id is taken', ...refusals },
  async handle(exchange, _parameters, sent) {
    requireAdministrator(exchange.principal)
    const registration = parseClient(sent.body, exchange.services.facts)
    return answerClient(await exchange.directories.write((session) => addClient(session, registration)), whole, 201)
  },
})

const update = defineRoute({
  method: 'PUT',
  path: `${path}/{clientId}`,
  operationId: 'updateOAuth2Client',
  under: 'api',
  summary: 'Replace what is registered of a program; what is not sent is not there any more',
  body: clientBody,
  answers: { 200: clientSchema, 400: 'not valid, or the id is taken', ...refusals, ...notThere },
  async handle(exchange, { clientId: id = '' }, sent) {
    requireAdministrator(exchange.principal)
    const changed = await exchange.directories.write(async (session) => {
      await session.tx.directories.lock()
      const { entryId } = await readClient(session, id)
      return changeClient(session, entryId, parseClient(sent.body, exchange.services.facts))
    })
    return answerClient(changed, whole)
  },
})

const remove: Route = {
  method: 'DELETE',
  path: `${path}/{clientId}`,
  operationId: 'deleteOAuth2Client',
  under: 'api',
  summary: 'Remove a program, and with it all that users agreed with it',
  answers: { 204: 'removed', ...refusals, ...notThere },
  async handle(exchange, { clientId: id = '' }) {
    requireAdministrator(exchange.principal)
    await exchange.directories.write(async (session) => {
      await session.tx.directories.lock()
      await removeClient(session, (await readClient(session, id)).entryId)
    })
    return noContent()
  },
}

const whole = { isWhole: true }

function answerClient(client: OAuth2Client, shown: { readonly isWhole: boolean }, status = 200) {
  return entity('oauth2Client', writeClient(client, shown), status)
}

/** What users agreed with programs (security 5). */
const source: TokenSource = {
  segment: 'client',
  parameter: 'clientId',
  noun: 'OAuth2Client',
  keyOf: (clientId, vendored) => ({ clientId, serviceName: ownService(vendored) }),
  requireKnown: async (session, clientId) => void (await readClient(session, clientId)),
  missing: (clientId) => tokenMissing({ clientId }),
  // They were shown the name when they consented.
  listLabels: async (session) => new Map((await listClients(session)).map(({ clientId, name }) => [clientId, name])),
}

export const clientTokenRoutes: readonly Route[] = [
  ownTokensRoute(source),
  ...tokenRoutesOf(source, '/oauth2/token/client/{clientId}/user/{userId}'),
]
