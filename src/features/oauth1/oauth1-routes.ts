import { hash, randomUUID } from 'node:crypto'
import { isoDate } from '../../base/iso-date.ts'
import { defineProblem } from '../../base/problem.ts'
import { systemAccess } from '../../core/access.ts'
import type { WriteSession } from '../../core/session.ts'
import { isOfAccount, readOwnHolder } from '../../rest/account.ts'
import type { Answer } from '../../rest/answer.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { readFields } from '../../rest/payload/declared-input.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { readUrlEncodedForm } from '../../rest/request/url-encoded-form.ts'
import type { Route } from '../../rest/route.ts'
import { consentPage, errorPage, isKnownByCookie, languageOf, withParameters } from '../oauth2-server/index.ts'
import { issueAccessToken } from './access-tokens.ts'
import { findConsumer, type Oauth1Consumer } from './consumers.ts'
import { isGenuine, oauth1Authenticator } from './oauth1-authenticator.ts'
import {
  createRequestToken,
  findRequestToken,
  type GrantingUser,
  grantRequestToken,
  type RequestToken,
  takeRequestToken,
} from './request-tokens.ts'
import { parseSignedRequest, type SignedRequest } from './signed-request.ts'

const oauth1Off = defineProblem(
  'oauth1Off',
  'notFound',
  (_: object) => 'Nothing is here: no chain of this server names OAUTH1_AUTH.',
)

const notSigned = defineProblem(
  'oauth1NotSigned',
  'unauthenticated',
  (_: object) => 'The request is not signed by a consumer that is known here, for the first time, within five minutes.',
)

const noSuchRequest = defineProblem(
  'oauth1RequestUnknown',
  'invalid',
  (_: object) => 'The request token is unknown, too old, or was used. Start again in the application.',
)

const noCallback = defineProblem(
  'oauth1CallbackMissing',
  'failed',
  (of: { consumer: string }) => `Neither the request nor the consumer ${of.consumer} says where to send the user on to.`,
)

const notShown = defineProblem(
  'oauth1FormNotShown',
  'forbidden',
  (_: object) => 'This form was sent before, or is not the one that you were shown. Start again in the application.',
)

const text = (description: string) => Type.Optional(Type.String({ maxLength: 2_048, description }))
const formType = 'application/x-www-form-urlencoded'
const signedHeader = 'The request is signed, by its header Authorization or by parameters'

const requestToken: Route = {
  method: 'GET',
  path: '/oauth/request-token',
  operationId: 'requestOAuth1Token',
  under: 'server',
  isPublic: true,
  summary: `A token with which a consumer asks a user for access. ${signedHeader}`,
  answers: { 200: bytesAnswer('the token and its secret', formType), 401: 'not signed by a known consumer' },
  async handle(exchange) {
    const { signed, consumer } = await readSigned(exchange, () => '')
    const callback = parameterOf(signed, 'oauth_callback')
    if (callback !== '' && callback !== 'oob' && !isCallback(callback)) throw notSigned({})
    const asked = { consumerKey: consumer.key, callback: callback === 'oob' ? '' : callback }
    const { token, secret } = await own(exchange).write((session) => createRequestToken(session, asked))
    return form({ oauth_token: token, oauth_token_secret: secret, oauth_callback_confirmed: 'true' })
  },
}

const beginAuthorize: Route = {
  method: 'GET',
  path: '/oauth/authorize',
  under: 'server',
  isPublic: true,
  summary: 'Where a consumer sends a user, who signs in and is asked',
  query: Type.Object({ oauth_token: text('The request token') }),
  answers: { 302: 'to the sign-in, and from there to the question' },
  async handle(exchange) {
    requireOn(exchange)
    const { request } = exchange
    const asked = `oauthGrant.jsp?oauth_token=${encodeURIComponent(request.query.get('oauth_token') ?? '')}`
    return redirect(`${request.baseUrl}login.jsp?requestedUrl=${encodeURIComponent(asked)}`)
  },
}

const question: Route = {
  method: 'GET',
  path: '/oauthGrant.jsp',
  operationId: 'askForOAuth1Grant',
  under: 'server',
  needsAccount: true,
  summary: 'The page that asks a user whether a consumer may act for them',
  query: Type.Object({ oauth_token: text('The request token') }),
  answers: { 200: bytesAnswer('the page', 'text/html'), 400: bytesAnswer('there is no such request', 'text/html') },
  async handle(exchange) {
    requireOn(exchange)
    const { request, principal } = exchange
    const token = request.query.get('oauth_token') ?? ''
    const asked = await exchange.directories.read((session) => findRequestToken(session, token))
    const consumer = asked && (await consumerOf(exchange, asked.consumerKey))
    if (asked === undefined || consumer === undefined) return errorPage(400, noSuchRequest({}).message)
    const user = { login: principal.name, holder: await readOwnHolder(exchange) }
    const shown = await exchange.directories.write((session) => offerForm(session, user, token))
    const callback = asked.callback || consumer.callbackUrl || request.baseUrl
    return consentPage(
      {
        action: `${request.baseUrl}oauth/authorize`,
        clientName: consumer.description ?? consumer.key,
        user: principal.name,
        host: new URL(request.baseUrl).host,
        redirectUri: callback,
        hidden: { oauth_token: token, [shownField]: shown },
      },
      languageOf(request),
    )
  },
}

const shownField = 'form_token'
const fields = Type.Object({
  oauth_token: Type.String({ maxLength: 2_048, description: 'The request token' }),
  duration: Type.Optional(
    Type.String({ pattern: '^\\d{0,7}$', description: 'Minutes for which access is granted; 0 or nothing is without end' }),
  ),
  deny_access: text('With any value: the consumer may not'),
  [shownField]: text('From the page that asks; needed by callers who are known by a cookie'),
})
const maxFormBytes = 32 * 1024

const grant: Route = {
  method: 'POST',
  path: '/oauth/authorize',
  under: 'server',
  needsAccount: true,
  answersSecret: true,
  summary: 'Let a consumer act for the caller, whatever other user the form names; sends the caller on to the consumer',
  form: { mediaType: formType, fields },
  streamsBody: true,
  answers: { 302: 'to the consumer', 400: 'no such request', 401: 'no such consumer', 403: 'not the form that was shown' },
  async handle(exchange) {
    requireOn(exchange)
    const sent = readFields(fields, await readUrlEncodedForm(exchange.request, { maxBytes: maxFormBytes }))
    const { oauth_token: token, duration = '', deny_access: denied, [shownField]: shown = '' } = sent
    const { asked, callback } = await readAsked(exchange, token)
    const user = { login: exchange.principal.name, holder: await readOwnHolder(exchange) }
    if (await isKnownByCookie(exchange)) {
      const isShown = await exchange.directories.write((session) => takeForm(session, user, token, shown))
      if (!isShown) throw notShown({})
    }
    if (denied !== undefined) return redirect(withParameters(callback, { oauth_token: token, oauth_problem: 'user_refused' }))
    const granted = { ...user, durationMinutes: Number(duration) }
    const verifier = await exchange.directories.write((session) => grantRequestToken(session, token, asked, granted))
    return redirect(withParameters(callback, { oauth_token: token, oauth_verifier: verifier }))
  },
}

const accessToken: Route = {
  method: 'GET',
  path: '/oauth/access-token',
  operationId: 'takeOAuth1AccessToken',
  under: 'server',
  isPublic: true,
  summary: `The token with which a consumer acts for the user who let it. ${signedHeader}`,
  answers: { 200: bytesAnswer('the token and its secret', formType), 401: 'not signed, not granted, or another verifier' },
  async handle(exchange) {
    let asked: RequestToken | undefined
    const { signed, consumer } = await readSigned(exchange, async ({ token }) => {
      asked = await exchange.directories.read((session) => findRequestToken(session, token))
      return asked?.secret
    })
    if (asked?.consumerKey !== consumer.key) throw notSigned({})
    if (asked.grant !== undefined && !(await isOfAccount(exchange.services, asked.grant.login))) throw notSigned({})
    const { mayBypassVerifier } = consumer
    const issued = await own(exchange).write(async (session) => {
      const verifier = parameterOf(signed, 'oauth_verifier')
      const taken = await takeRequestToken(session, signed.token, { verifier, mayBypassVerifier })
      if (taken === undefined) return undefined
      const { consumerKey, callback: callbackUrl, grant: given } = taken
      return issueAccessToken(session, { consumerKey, callbackUrl, ...given })
    })
    if (issued === undefined) throw notSigned({})
    return form({ oauth_token: issued.token, oauth_token_secret: issued.secret })
  },
}

// What only some servers have is described where it is switched on (docs/operating/secure.md), not among what all of them answer.
export const oauth1Routes: readonly Route[] = [requestToken, beginAuthorize, question, grant, accessToken].map((route) => ({
  ...route,
  isUndocumented: true,
}))

/** @throws oauth1Off where no chain of the server names the authenticator: then nothing of it is there */
function requireOn({ services }: Exchange): void {
  const isNamed = services.authentication.chains.some(
    ({ replacementChain, allowedPlugins }) =>
      replacementChain?.includes(oauth1Authenticator) || allowedPlugins?.includes(oauth1Authenticator),
  )
  if (!isNamed) throw oauth1Off({})
}

/** The request, once it is known to be signed by its consumer with the secret of its token. @throws notSigned, oauth1Off */
async function readSigned(
  exchange: Exchange,
  secretOf: (signed: SignedRequest) => string | undefined | Promise<string | undefined>,
): Promise<{ signed: SignedRequest; consumer: Oauth1Consumer }> {
  requireOn(exchange)
  const signed = parseSignedRequest(exchange.request, new URLSearchParams())
  const consumer = signed && (await consumerOf(exchange, signed.consumerKey))
  const secret = signed && (await secretOf(signed))
  const isKnown = signed !== undefined && consumer !== undefined && secret !== undefined
  if (!isKnown || !(await isGenuine(exchange.services, signed, consumer, secret))) throw notSigned({})
  return { signed, consumer }
}

/** What is asked for, and where the user is sent on to. @throws oauth1RequestUnknown, oauth1NotSigned, oauth1CallbackMissing */
async function readAsked(exchange: Exchange, token: string): Promise<{ asked: RequestToken; callback: string }> {
  const asked = await exchange.directories.read((session) => findRequestToken(session, token))
  if (asked === undefined) throw noSuchRequest({})
  const consumer = await consumerOf(exchange, asked.consumerKey)
  if (consumer === undefined) throw notSigned({})
  const callback = asked.callback || consumer.callbackUrl
  if (callback === undefined || !isCallback(callback)) throw noCallback({ consumer: consumer.key })
  return { asked, callback }
}

function consumerOf({ services }: Exchange, key: string): Promise<Oauth1Consumer | undefined> {
  return findConsumer(services.directories.store.reader.directories, key)
}

/** Nobody is signed in where consumers ask for themselves. */
function own({ repository }: Exchange) {
  return systemAccess(repository.home)
}

function parameterOf({ content }: SignedRequest, name: string): string {
  return content.parameters.find(([one]) => one === name)?.[1] ?? ''
}

/** An address that a browser can be sent to, without running what stands in it. */
function isCallback(address: string): boolean {
  const protocol = URL.parse(address)?.protocol
  return (
    address.length <= 2_048 &&
    protocol !== undefined &&
    !['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'].includes(protocol)
  )
}

/** A form that was shown may be sent once, by whom it was shown to. */
const formKey = ({ login, holder }: GrantingUser, token: string, shown: string) =>
  `oauth1/form/${hash('sha256', JSON.stringify([login, holder, token, shown]))}`
const formMillis = 30 * 60_000

async function offerForm({ tx }: WriteSession, user: GrantingUser, token: string): Promise<string> {
  const shown = randomUUID()
  await tx.transient.set(formKey(user, token, shown), true, isoDate(new Date(Date.now() + formMillis)))
  return shown
}

async function takeForm({ tx, now }: WriteSession, user: GrantingUser, token: string, shown: string): Promise<boolean> {
  const isKnown = (await tx.transient.find(formKey(user, token, shown), now)) !== undefined
  await tx.transient.remove(formKey(user, token, shown))
  return isKnown
}

function form(values: { readonly [name: string]: string }): Answer {
  const headers = { 'Cache-Control': 'no-store' }
  return { kind: 'text', status: 200, contentType: formType, text: String(new URLSearchParams(values)), headers }
}

function redirect(url: string): Answer {
  return { kind: 'empty', status: 302, headers: { Location: url } }
}
