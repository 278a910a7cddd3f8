import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { networkOf } from '../base/address-range.ts'
import { memoised } from '../base/cache/memo.ts'
import type { Log } from '../base/log.ts'
import { durationBounds } from '../base/metrics.ts'
import { defineProblem, Problem } from '../base/problem.ts'
import type { Repository } from '../core/session.ts'
import type { Principal } from '../model/rights/principal.ts'
import { requireAccount } from '../rest/account.ts'
import type { Answer } from '../rest/answer.ts'
import { allowedMethods, answerResource, expectResource } from '../rest/dispatch.ts'
import { isHealth } from '../rest/management.ts'
import { methodNotAllowed } from '../rest/method-not-allowed.ts'
import { type Answers, isAlwaysJson } from '../rest/openapi/answers.ts'
import { DeclaredInput } from '../rest/payload/declared-input.ts'
import type { Registry } from '../rest/registry.ts'
import type { Rendering } from '../rest/render/rendering.ts'
import type { Description, Route } from '../rest/route.ts'
import type { Services } from '../rest/services.ts'
import { defaultPassword, firstAdministrator } from '../settings/administrator-password.ts'
import { type AnswerWriter, createAnswerWriter } from './answer/answer-writer.ts'
import { createErrorAnswers } from './answer/error-answer.ts'
import { Call, HttpExchange } from './answer/http-exchange.ts'
import { createAuthentication, guest } from './authentication/authentication.ts'
import type { SiblingProcesses } from './connection-moves.ts'
import { createWelcome } from './documentation/welcome.ts'
import type { HttpSettings } from './http-settings.ts'
import { createIdempotency } from './protection/idempotency.ts'
import type { RateLimit } from './protection/rate-limit.ts'
import { createHostCheck, createRequestProtection, isSafeMethod } from './protection/request-protection.ts'
import { createBaseUrls } from './request/base-url.ts'
import { createTargets, IncomingRequest, type Target } from './request/incoming-request.ts'
import { readJsonBody, readJsonOrForm } from './request/request-body.ts'
import { acceptsJson, createContentTypes } from './request/request-headers.ts'
import type { RequestLog } from './request-log.ts'
import { describeSpan, isWatching, spanOf } from './request-span.ts'
import { createPlainRedirect } from './tls/plain-requests.ts'
import { addMeasured, createTraffic, trafficFamilies } from './traffic.ts'

const headerShape = /^[\x21-\x7e]{1,128}$/

/** Names a request for the log: by the id that the client or a proxy gave, or by one that tells nothing, not even how many there were. */
function requestIdOf({ headers }: Pick<IncomingRequest, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && headerShape.test(given) ? given : randomUUID()
}

const repositoryNotFound = defineProblem(
  'repositoryNotFound',
  'notFound',
  (of: { name: string }) => `Repository ${of.name} not found`,
)

const notAcceptable = defineProblem(
  'notAcceptable',
  'notAcceptable',
  (of: { accept: string }) => `The answer is application/json, which the Accept header ${of.accept} does not allow.`,
)

/** Whether errors are answered with where they happened. */
interface StackTraces {
  readonly showsStackTraces: boolean
  /** Until that is as it was turned in any process; undefined where it is known. */
  refresh(): Promise<void> | undefined
}

export interface HttpOptions {
  readonly services: Services
  readonly registry: Registry
  readonly rendering: Rendering
  readonly settings: HttpSettings
  readonly log: Log
  readonly requestLog?: RequestLog | undefined
  readonly rateLimits?: RateLimits
  /** Asked for every error, as an administrator may switch it. */
  readonly stackTraces: StackTraces
  /** Where others serve the same port, and it matters which of them writes. */
  readonly siblings?: SiblingProcesses
}

/** Absent: as many requests as one likes. */
export interface RateLimits {
  readonly address?: RateLimit | undefined
  readonly user?: RateLimit | undefined
}

export interface Pipeline {
  serve(raw: IncomingMessage, response: ServerResponse): void
  /**
   * Answers the request in whose course this is called with the error, which was not caught. Gives whether there was one to
   * answer.
   */
  refuseCurrent(error: unknown): boolean
  readonly writer: AnswerWriter
}

/**
 * The way of a request, in the order of security 1: errors around everything, then the host, CSRF, origin and CORS, then who asks,
 * then whether it was answered before, then the resource.
 */
export function createPipeline(options: HttpOptions, sessionSecret: string): Pipeline {
  const { services, registry, settings, log, requestLog } = options
  const { tracer } = services
  const { vendored } = services.facts
  const defaultRepository = readRepository('default')
  const limits = { ...settings.jsonLimits, stallSeconds: settings.bodyStallSeconds }

  const baseUrls = createBaseUrls(settings, vendored)
  const checkHost = createHostCheck(settings.allowedHosts, baseUrls, () =>
    services.principals.hasPassword(firstAdministrator, defaultPassword),
  )
  const redirectPlain = createPlainRedirect(settings, baseUrls)
  const contentTypes = createContentTypes(vendored)
  const writer = createAnswerWriter(settings, contentTypes)
  const protection = createRequestProtection(settings, sessionSecret, services.authentication.sessions, log)
  const authentication = createAuthentication(settings.openUrls, services, defaultRepository, log)
  const environment = {
    services,
    rendering: options.rendering,
    log,
    transactionTimeoutSeconds: settings.transactionTimeoutSeconds,
    issueCsrfToken: protection.issueToken,
    renewPrincipal: authentication.renew,
  }
  const targets = createTargets(registry, settings.basePath, vendored)
  const welcome = createWelcome(settings.basePath, settings.startPage)
  const idempotency = createIdempotency({
    settings,
    store: defaultRepository.store,
    directories: services.directories.store,
    repositories: services.repositories,
    contentTypeOf: contentTypes,
    bodyLimits: limits,
    log,
  })
  const { stackTraces } = options
  const errorAnswer = createErrorAnswers({ vendored, showsStackTraces: () => stackTraces.showsStackTraces, log })
  const { address: ofAddress, user: ofUser } = options.rateLimits ?? {}
  const traffic = createTraffic()
  services.metrics.add(() => trafficFamilies(traffic))
  const tellsOfSuccess = log.isLevelEnabled?.('debug') ?? true

  // Half a microsecond a request, and then whatever goes wrong beside its promises still knows it.
  const current = new AsyncLocalStorage<Call>()

  async function serve(call: Call): Promise<void> {
    const { request } = call
    let answer: Answer
    try {
      answer = await answerTo(call)
    } catch (error) {
      await stackTraces.refresh()
      answer = answerFailure(call, error)
    }
    const rest = request.discardBody()
    if (rest !== undefined) await outlast(call, rest)
    if (call.isRefused) return conclude(call, 500)
    const sending = send(call, answer)
    if (sending !== undefined) await sending
    conclude(call, answer.status)
    logRequest(call, answer.status)
  }

  function traced(call: Call): Promise<void> {
    return tracer.run(spanOf(call), (span) => {
      call.span = span
      return current.run(call, serve, call)
    })
  }

  function conclude(call: Call, status: number): void {
    measure(call, status)
    if (call.span !== undefined) describeSpan(call.span, call, status)
    requestLog?.note(call, status)
  }

  /** A fifth of a microsecond a request. */
  function measure({ measuredAs, request: { method }, startedAt }: Call, status: number): void {
    const seconds = (performance.now() - startedAt) / 1_000
    const place = traffic.requests.get(measuredAs)?.get(method) ?? addMeasured(traffic, measuredAs, method)
    const { counts, statuses } = place
    let index = 0
    while (index < durationBounds.length && seconds > (durationBounds[index] ?? 0)) index += 1
    counts[index] = (counts[index] ?? 0) + 1
    place.seconds += seconds
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    traffic.inFlight -= 1
  }

  /** To close a connection on a client that is still sending takes the answer from it. */
  async function outlast({ request, response }: Call, rest: Promise<void>): Promise<void> {
    if (!response.shouldKeepAlive) await rest
    else rest.then(() => request.raw.complete || request.raw.destroy())
  }

  async function answerTo(call: Call): Promise<Answer> {
    const { request } = call
    const checkingHost = checkHost(request)
    if (checkingHost !== undefined) await checkingHost
    const elsewhere = redirectPlain?.(request)
    if (elsewhere !== undefined) return elsewhere
    const early = protection.concerns(request) ? await protection.check(call) : undefined
    if (early !== undefined) return early
    const target = targets.find(request)
    request.rawPath = target.rawPath
    if (target.kind === 'route' || target.kind === 'otherMethod') {
      call.shownPath = declaredPath(target.route)
      call.writeError = target.route.writeError
      call.measuredAs = target.route
      call.needsAccount = target.route.needsAccount === true
      call.answersSecret = target.route.answersSecret === true
    } else if (target.kind === 'resource') {
      call.measuredAs = target.end
    } else {
      call.writeError = target.writeError
    }
    // A balancer is to know whether the server is well, however busy its clients are.
    if (ofAddress !== undefined && !(target.kind === 'route' && isHealth(target.route)))
      ofAddress.take(networkOf(request.clientAddress))
    if (target.kind === 'resource' && request.method === 'GET' && namedRepository(request, target) === undefined)
      expectResource(registry, defaultRepository, target.path)
    const known = needsCredentials(target, request) ? authentication.authenticate(call) : guest
    const principal = known instanceof Promise ? await known : known
    if (call.ending !== undefined) return call.ending
    if (call.needsAccount) requireAccount(principal)
    if (ofUser !== undefined && !principal.isAnonymous) ofUser.take(principal.name)
    if (target.kind === 'nothing') return welcome(request) ?? refuse(target.problem)
    call.isAdmitted = true
    // Awaited here and on the way of a read: a promise that is given as it is costs three rounds of microtasks, and this one.
    if (principal.isAnonymous || isSafeMethod(request.method) || !idempotency.isAsked(call))
      return await answerTarget(call, target, principal)
    return idempotency.once(call, principal, (noting) => answerTarget(call, target, noting))
  }

  function needsCredentials(target: Target, request: IncomingRequest): boolean {
    if (!target.isProtected || authentication.isOpen(request)) return false
    return target.kind !== 'route' || target.route.isOpenTo?.(request) !== true
  }

  function declaredPath({ under, path }: Route): string {
    return `${settings.basePath}${under === 'api' ? '/api/v1' : ''}${path}`
  }

  async function answerTarget(call: Call, target: Exclude<Target, { kind: 'nothing' }>, principal: Principal): Promise<Answer> {
    const { request } = call
    if (target.kind === 'otherMethod') return answerOtherMethod(request.method, target.allowed)
    const repository = selectRepository(request, target)
    if (request.method === 'OPTIONS' && target.kind === 'resource') return allowing(allowedMethods(registry, target.path))
    const description = target.kind === 'route' ? target.route : target.description
    if (description !== undefined && !isSafeMethod(request.method)) {
      // What changes something is refused before it does, or not at all.
      if (isAnsweredWithEntity(target, description, request.method)) requireAcceptable(request)
      request.body = await readBody(request, description)
    }
    const exchange = new HttpExchange(call, principal, repository, environment)
    const answer = await answerIn(exchange, target)
    if (isEntity(answer) && isSafeMethod(request.method)) requireAcceptable(request)
    return answer
  }

  function readBody(request: IncomingRequest, { ignoresBody, streamsBody, acceptsForms }: Description) {
    if (ignoresBody || streamsBody) return undefined
    return acceptsForms ? readJsonOrForm(request, limits) : readJsonBody(request, limits)
  }

  async function answerIn(exchange: HttpExchange, target: Target & { kind: 'route' | 'resource' }): Promise<Answer> {
    try {
      return await (target.kind === 'route'
        ? answerRoute(exchange, target)
        : answerResource(registry, exchange, exchange.request.method, target.path))
    } finally {
      const ending = exchange.end()
      if (ending !== undefined) await ending
    }
  }

  async function answerRoute(exchange: HttpExchange, target: Target & { kind: 'route' }): Promise<Answer> {
    return target.route.handle(exchange, target.parameters, new DeclaredInput(target.route, exchange.request))
  }

  function selectRepository(request: IncomingRequest, target: Target & { kind: 'route' | 'resource' }): Repository {
    // What belongs to the server is the same whatever repository the client works in.
    if (target.kind === 'route' && target.route.under === 'server') {
      const { repositoryIn } = target.route
      return repositoryIn === undefined ? defaultRepository : readRepository(target.parameters[repositoryIn] ?? '')
    }
    const name = namedRepository(request, target)
    return name === undefined ? defaultRepository : readRepository(name)
  }

  function namedRepository(request: IncomingRequest, target: Target & { kind: 'route' | 'resource' }): string | undefined {
    const header = request.headers['x-nxrepository']
    const parameter = request.search.includes('nxrepository') ? request.query.get('nxrepository') : undefined
    const name = target.repository ?? (header || parameter)
    return name ? String(name) : undefined
  }

  function readRepository(name: string): Repository {
    const repository = services.repositories.get(name)
    if (repository === undefined) throw repositoryNotFound({ name })
    return repository
  }

  function answerFailure(call: Call, error: unknown): Answer {
    // A client that hung up will not read why; that the body stopped in the middle is no fault of ours either.
    if (isGone(call)) return { kind: 'empty', status: 499 }
    const instead = isOfRights(error) ? call.admittedBy?.answerRefusal?.(call.request) : undefined
    return instead ?? errorAnswer(call, error)
  }

  function send(call: Call, answer: Answer): Promise<void> | undefined {
    try {
      return writer.write(call, answer)?.catch((error: unknown) => breakOff(call, error))
    } catch (error) {
      return breakOff(call, error)
    }
  }

  function breakOff(call: Call, error: unknown): Promise<void> | undefined {
    if (!call.response.headersSent) return writer.write(call, errorAnswer(call, error))
    if (!isGone(call))
      log.error({ event: 'http.broken', requestId: call.id, path: call.shownPath, err: error }, 'answer broke off')
    // Nothing but a broken connection tells the client that what it got is not all.
    call.response.destroy()
    return undefined
  }

  function refuseCurrent(error: unknown): boolean {
    const call = current.getStore()
    if (call === undefined || call.isRefused || call.response.writableEnded) return false
    call.isRefused = true
    // What is left of it on this connection is undefined.
    call.addHeader('Connection', 'close')
    breakOff(call, error)?.catch(() => call.response.destroy())
    return true
  }

  function logRequest(call: Call, status: number): void {
    if (status < 400 && !tellsOfSuccess) return
    const ms = Math.round((performance.now() - call.startedAt) * 10) / 10
    const fields = {
      event: 'http.request',
      requestId: call.id,
      method: call.request.method,
      path: call.shownPath,
      status,
      ms,
      user: call.user,
    }
    if (status >= 400) log.info(fields, 'request refused')
    else log.debug(fields, 'request answered')
  }

  return {
    writer,
    refuseCurrent,
    serve(raw, response) {
      const request = new IncomingRequest(raw, response, baseUrls, settings.bodyStallSeconds)
      const call = new Call(request, response, requestIdOf(request))
      traffic.inFlight += 1
      const answering = tracer.isOn && !isWatching(request) ? traced(call) : current.run(call, serve, call)
      answering.catch((err: unknown) => {
        traffic.inFlight -= 1
        log.error({ event: 'http.lost', err }, 'request lost')
        response.destroy()
      })
    },
  }
}

/** Whether somebody else might be let. */
function isOfRights(error: unknown): boolean {
  return error instanceof Problem && (error.kind === 'forbidden' || error.kind === 'unauthenticated')
}

function isGone({ request, response }: Call): boolean {
  return response.destroyed || request.raw.socket.destroyed
}

function answerOtherMethod(method: string, allowed: readonly string[]): Answer {
  if (method === 'OPTIONS') return allowing(allowed)
  throw methodNotAllowed({ method, allowed })
}

function allowing(methods: readonly string[]): Answer {
  return { kind: 'empty', status: 200, headers: { Allow: methods.join(', ') } }
}

function refuse(problem: Problem): never {
  throw problem
}

function isEntity({ kind }: Answer): boolean {
  return kind === 'entity' || kind === 'entityText'
}

function requireAcceptable({ headers }: IncomingRequest): void {
  if (!acceptsJson(headers.accept)) throw notAcceptable({ accept: headers.accept ?? '' })
}

/** Whether success is always an entity: on a resource itself, and wherever only schemas are declared. Files and the like are not. */
function isAnsweredWithEntity(
  target: Target & { kind: 'route' | 'resource' },
  { answers }: Description,
  method: string,
): boolean {
  if (target.kind === 'resource' && target.path.adapters.length === 0) return method !== 'DELETE'
  return isEntitiesOnly(answers)
}

// What is declared never changes, and every request that writes asks.
const isEntitiesOnly = memoised((answers: Answers) => isAlwaysJson(answers))
