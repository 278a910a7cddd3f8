import type { Problem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { Session } from '../../core/session.ts'
import { entity, noContent } from '../../rest/answer.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { requireAdministrator, requireKnown, requireOwner } from './oauth2-rights.ts'
import {
  planTokenChange,
  storedTokenBody,
  storedTokenSchema,
  storedTokensSchema,
  tokenEntityType,
  writeToken,
  writeTokens,
} from './stored-token-entity.ts'
import { changeToken, findTokens, removeToken, type StoredToken, type TokenKey } from './stored-tokens.ts'

/** One kind of what tokens are for: services that are called, or programs that call. */
export interface TokenSource {
  readonly segment: 'provider' | 'client'
  /** The parameter of addresses that names one. */
  readonly parameter: string
  /** Names the calls in generated clients. */
  readonly noun: string
  /** What the tokens of the one that is so called have in common. */
  keyOf(name: string, vendored: VendorIdentifiers): TokenKey
  /** @throws Problem when there is none of that name */
  requireKnown(session: Session, name: string): Promise<void>
  missing(name: string): Problem
  /** What users know each by, where that is not the name that tokens have. */
  listLabels?(session: Session): Promise<ReadonlyMap<string, string>>
}

const refusals = { 403: 'the token of another user', 404: 'there is no such service or program, or no token for it' }

/** To look at, change and revoke what one user agreed with one service or program. */
export function tokenRoutesOf(source: TokenSource, path: string, noun = source.noun): readonly Route[] {
  const addressed = (parameters: { readonly [name: string]: string }) => ({
    name: parameters[source.parameter] ?? '',
    login: parameters['userId'] ?? '',
  })

  async function listTokens({ services }: Exchange, session: Session, name: string, login: string) {
    const tokens = await findTokens(session, { ...source.keyOf(name, services.facts.vendored), login })
    return tokens.filter((token) => isOf(source, token))
  }

  async function readNewest(exchange: Exchange, session: Session, name: string, login: string) {
    await source.requireKnown(session, name)
    const [newest] = newestFirst(await listTokens(exchange, session, name, login))
    if (newest === undefined) throw source.missing(name)
    return newest
  }

  const read: Route = {
    method: 'GET',
    path,
    operationId: `get${noun}Token`,
    under: 'api',
    summary: 'What was agreed, without its secrets',
    answers: { 200: storedTokenSchema, ...refusals },
    async handle(exchange, parameters) {
      const { name, login } = addressed(parameters)
      requireOwner(exchange.principal, login)
      return answerToken(exchange, await exchange.directories.read((session) => readNewest(exchange, session, name, login)))
    },
  }

  const update = defineRoute({
    method: 'PUT',
    path,
    operationId: `update${noun}Token`,
    under: 'api',
    summary: 'Change what is sent of it; whose it is and for what, only administrators change',
    body: storedTokenBody,
    answers: { 200: storedTokenSchema, 400: 'not valid', ...refusals },
    async handle(exchange, parameters, sent) {
      const { name, login } = addressed(parameters)
      const { principal, request, services } = exchange
      requireOwner(principal, login)
      const changed = await exchange.directories.write(async (session) => {
        await session.tx.directories.lock()
        const newest = await readNewest(exchange, session, name, login)
        const change = planTokenChange(principal, services.facts.vendored, newest, sent.body, request.body)
        return changeToken(session, newest.id, change)
      })
      return answerToken(exchange, changed)
    },
  })

  const remove: Route = {
    method: 'DELETE',
    path,
    operationId: `delete${noun}Token`,
    under: 'api',
    summary: 'Revoke it: what was given out of it is of no use with the next request',
    answers: { 204: 'revoked', ...refusals },
    async handle(exchange, parameters) {
      const { name, login } = addressed(parameters)
      requireOwner(exchange.principal, login)
      await exchange.directories.write(async (session) => {
        await session.tx.directories.lock()
        const tokens = await listTokens(exchange, session, name, login)
        // What is left of a service or program that is gone can still be taken back.
        if (tokens.length === 0) await readNewest(exchange, session, name, login)
        for (const { id } of tokens) await removeToken(session, id)
      })
      return noContent()
    },
  }

  return [read, update, remove]
}

function isOf({ segment }: TokenSource, { clientId }: StoredToken): boolean {
  return (clientId !== null) === (segment === 'client')
}

/** The tokens of one kind that the caller has. */
export function ownTokensRoute(source: TokenSource): Route {
  const { segment, noun, listLabels } = source
  return {
    method: 'GET',
    path: `/oauth2/token/${segment}`,
    operationId: `list${noun}Tokens`,
    under: 'api',
    summary: `The caller's tokens for ${segment}s`,
    answers: { 200: storedTokensSchema, 403: 'nobody in particular' },
    async handle(exchange) {
      const { principal } = exchange
      requireKnown(principal)
      const { own, labels } = await exchange.directories.read(async (session) => ({
        own: await findTokens(session, { login: principal.name }),
        labels: await listLabels?.(session),
      }))
      return answerTokens(
        exchange,
        own.filter((token) => isOf(source, token)),
        labels,
      )
    },
  }
}

export const allTokensRoute: Route = {
  method: 'GET',
  path: '/oauth2/token',
  operationId: 'listOAuth2Tokens',
  under: 'api',
  summary: 'All tokens, for administrators',
  answers: { 200: storedTokensSchema, 403: 'not an administrator' },
  async handle(exchange) {
    requireAdministrator(exchange.principal)
    return answerTokens(exchange, await exchange.directories.read((session) => findTokens(session, {})))
  },
}

function answerToken({ services: { facts } }: Exchange, token: StoredToken) {
  return entity(facts.vendored(tokenEntityType), writeToken(facts.vendored, token))
}

function answerTokens({ services: { facts } }: Exchange, tokens: readonly StoredToken[], labels?: ReadonlyMap<string, string>) {
  return entity(facts.vendored(`${tokenEntityType}s`), writeTokens(facts.vendored, tokens, labels))
}

/** By the day that they were made on; those of which none is known come last, and the entry that came later before others. */
export function newestFirst(tokens: readonly StoredToken[]): readonly StoredToken[] {
  const madeAt = ({ creationDate }: StoredToken) => creationDate ?? ''
  return tokens.toSorted((one, other) => {
    if (madeAt(one) === madeAt(other)) return Number(other.id) - Number(one.id)
    return madeAt(one) < madeAt(other) ? 1 : -1
  })
}
