import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { randomText } from '../../base/ids.ts'
import { isoDate } from '../../base/iso-date.ts'
import { Problem } from '../../base/problem.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import { readOwnHolder } from '../../rest/account.ts'
import type { Answer } from '../../rest/answer.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { readUrlEncodedForm } from '../../rest/request/url-encoded-form.ts'
import type { Route } from '../../rest/route.ts'
import { findGranted, type UserGrant } from './access-tokens.ts'
import { type GrantedCode, type GrantParties, grantCode, readRevocation } from './authorization-codes.ts'
import {
  type Authorization,
  type AuthorizationParameters,
  authorizationParameters,
  planAuthorization,
} from './authorization-request.ts'
import { findClient } from './clients.ts'
import { consentPage, errorPage, languageOf } from './oauth2-pages.ts'
import { withParameters } from './redirect-uri.ts'

const submitPath = 'oauth2/authorize_submit'
const consentField = 'consent_token'

const text = (description: string) => Type.Optional(Type.String({ description }))

const parameters = Type.Object({
  client_id: Type.String({ description: 'The program, as it is registered' }),
  response_type: Type.Literal('code'),
  redirect_uri: text('One of those of the program; the first of them when absent'),
  redirect_url: text('The same by another name'),
  scope: text('Not looked at'),
  state: text('Comes back with the code'),
  code_challenge: text('Of RFC 7636, with its method or not at all'),
  code_challenge_method: text('plain or S256'),
})

const answers = {
  302: 'to the program, with a code, or with why there is none',
  400: bytesAnswer('a page that says what is wrong; nothing is sent to the program', 'text/html'),
  500: bytesAnswer('a page that says so', 'text/html'),
}

/** Where a program sends a person's browser to be let in (security 6.1). */
const authorize: Route = {
  method: 'GET',
  path: '/oauth2/authorize',
  operationId: 'authorizeOAuth2Client',
  under: 'server',
  needsAccount: true,
  summary: 'Asks the person whether the program may act for them, unless they have been asked before',
  query: parameters,
  answers: { 200: bytesAnswer('the page that asks', 'text/html'), 403: 'a program that acts for a user', ...answers },
  handle: (exchange) =>
    withPages(exchange, async () => {
      const { principal, request } = exchange
      const sent = parametersIn([request.query])
      const plan = await readPlan(exchange, sent)
      if (plan.kind === 'refused') return errorPage(400, plan.description)
      const grant = await readParties(exchange, plan)
      // Before the look at what was granted: a revocation is seen by one of the two.
      const code = await planCode(exchange, plan, grant)
      if (plan.client.isAutoGrant || (await hasGranted(exchange, grant))) return sendCode(exchange, plan, code, sent)
      const consent = await exchange.directories.write((session) => offerConsent(session, grant))
      const question = {
        action: `${request.baseUrl}${submitPath}`,
        clientName: plan.client.name || plan.client.clientId,
        user: principal.name,
        host: new URL(request.baseUrl).host,
        redirectUri: plan.redirectUri,
        hidden: { ...sent, [consentField]: consent, 'csrf-token': await exchange.issueCsrfToken() },
      }
      return consentPage(question, languageOf(request))
    }),
}

/** What the person chose, and what programs post that have the person's credentials (security 6.2). */
const submit: Route = {
  method: 'POST',
  path: `/${submitPath}`,
  operationId: 'grantOAuth2Access',
  under: 'server',
  needsAccount: true,
  answersSecret: true,
  summary: 'Let the program act for the caller, or not; parameters may stand in the address or in the form',
  query: parameters,
  form: {
    mediaType: 'application/x-www-form-urlencoded',
    fields: Type.Object({
      ...parameters.properties,
      grant_access: text('With any value: the program may. Absent: it may not'),
      [consentField]: text('From the page that asks; needed by callers who are known by a cookie'),
    }),
  },
  streamsBody: true,
  answers: { ...answers, 403: bytesAnswer('the form is not the one that the caller was shown', 'text/html') },
  handle: (exchange) =>
    withPages(exchange, async () => {
      const { request } = exchange
      const places = [request.query, await readForm(exchange)]
      const sent = parametersIn(places)
      const plan = await readPlan(exchange, sent)
      if (plan.kind === 'refused') return errorPage(400, plan.description)
      const grant = await readParties(exchange, plan)
      if (await isKnownByCookie(exchange)) {
        const token = findParameter(places, consentField) ?? ''
        const isOwn = await exchange.directories.write((session) => takeConsent(session, token, grant))
        if (!isOwn) return errorPage(403, formRefusal)
      }
      if (!places.some((place) => place.has('grant_access'))) {
        const refusal = { error: 'access_denied', error_description: 'Access denied by the user', state: sent.state }
        return redirect(withParameters(plan.redirectUri, refusal))
      }
      return sendCode(exchange, plan, await planCode(exchange, plan, grant), sent)
    }),
}

const submitWithGet: Route = {
  method: 'GET',
  path: `/${submitPath}`,
  under: 'server',
  isUndocumented: true,
  summary: 'Nothing is granted by following a link',
  answers: { 405: bytesAnswer('a page that says so', 'text/html') },
  handle: async () => errorPage(405, 'Send the form with POST.', { Allow: 'POST, OPTIONS' }),
}

export const authorizeRoutes: readonly Route[] = [authorize, submit, submitWithGet]

const formRefusal =
  'This form was sent before, or is too old, or is not the one that you were shown. Start again in the application.'

function readPlan({ directories, services }: Exchange, sent: AuthorizationParameters) {
  return directories.read(async (session) => {
    const client = sent.client_id === undefined ? undefined : await findClient(session, sent.client_id)
    return planAuthorization(sent, client, services.facts)
  })
}

async function readParties(exchange: Exchange, { client }: Authorization): Promise<GrantParties> {
  const { name: user } = exchange.principal
  return { clientId: client.clientId, user, registration: client.entryId, holder: await readOwnHolder(exchange) }
}

/** Any token that the user once let the program have, be it expired. */
async function hasGranted({ directories, services }: Exchange, grant: UserGrant): Promise<boolean> {
  const tokens = await directories.read((session: Session) => findGranted(session, grant, services.facts.vendored))
  return tokens.length > 0
}

async function planCode(
  { directories }: Exchange,
  { redirectUri, hasNamedUri, challenge }: Authorization,
  parties: GrantParties,
): Promise<GrantedCode> {
  const revocation = await directories.read((session) => readRevocation(session, parties))
  return { ...parties, revocation, redirectUri: hasNamedUri ? redirectUri : null, challenge }
}

async function sendCode(
  exchange: Exchange,
  { redirectUri }: Authorization,
  granted: GrantedCode,
  { state }: AuthorizationParameters,
): Promise<Answer> {
  const code = await exchange.directories.write((session) => grantCode(session, granted))
  return redirect(withParameters(redirectUri, { code, state }))
}

function redirect(location: string): Answer {
  const headers = { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
  return { kind: 'empty', status: 302, headers }
}

// A state of the longest kind, and the rest, each byte written as three.
const maxFormBytes = 64 * 1024

async function readForm({ request }: Exchange): Promise<URLSearchParams> {
  const isSent = request.headers['content-type'] !== undefined && request.headers['content-length'] !== '0'
  return isSent ? readUrlEncodedForm(request, { maxBytes: maxFormBytes }) : new URLSearchParams()
}

function parametersIn(places: readonly URLSearchParams[]): AuthorizationParameters {
  return Object.fromEntries(authorizationParameters.map((name) => [name, findParameter(places, name)]))
}

/** The first that is not blank. */
function findParameter(places: readonly URLSearchParams[], name: string): string | undefined {
  return places.flatMap((place) => place.getAll(name)).find((value) => value.trim() !== '')
}

/**
 * A browser sends cookies along whichever page a form is on; no page of another server can make it send these headers. A session counts
 * whatever else was sent.
 */
export async function isKnownByCookie({ request, services }: Exchange): Promise<boolean> {
  const { cookie, authorization, 'x-authentication-token': token } = request.headers
  if (cookie === undefined) return false
  if (authorization === undefined && token === undefined) return true
  return (await services.authentication.sessions?.find(request)) !== undefined
}

const formMinutes = 30
const consentKey = (token: string) => `oauth2/consent/${hash('sha256', token, 'base64url')}`

/** A token for the form that this user is shown: no other page can send the form in their name. */
async function offerConsent({ tx, now }: WriteSession, parties: GrantParties): Promise<string> {
  const token = randomText(40)
  await tx.transient.set(consentKey(token), { ...parties }, isoDate(new Date(Date.parse(now) + formMinutes * 60_000)))
  return token
}

/** Whether the form was offered to this very user for this program, and not sent before. */
async function takeConsent({ tx, now }: WriteSession, token: string, parties: GrantParties): Promise<boolean> {
  const offered = await tx.transient.find(consentKey(token), now)
  await tx.transient.remove(consentKey(token))
  return isDeepStrictEqual(offered, parties)
}

/** What is wrong is told on a page, also when it is wrong with this server (security 6.1). */
async function withPages({ repository }: Exchange, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof Problem && error.kind !== 'failed') throw error
    repository.log.error({ event: 'oauth2.failed', err: error }, 'authorization failed')
    return errorPage(500, error instanceof Problem ? error.message : 'Something went wrong here. Try again later.')
  }
}
