import type { ServerResponse } from 'node:http'
import type { Log } from '../../base/log.ts'
import type { TraceSpan } from '../../base/tracing.ts'
import { type Access, RepositoryAccess } from '../../core/access.ts'
import type { Repository, WriteSession } from '../../core/session.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { Answer } from '../../rest/answer.ts'
import type { Authenticator } from '../../rest/authenticator.ts'
import type { Rendering } from '../../rest/render/rendering.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import type { ErrorWriter } from '../../rest/route.ts'
import type { Services } from '../../rest/services.ts'
import type { Transaction, TransactOptions } from '../../store/store.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { vendorHeader } from '../request/request-headers.ts'
import type { Measured } from '../traffic.ts'

/** A request on its way through the pipeline, and what the stages leave for its answer. */
export class Call {
  readonly request: IncomingRequest
  readonly response: ServerResponse
  readonly id: string
  readonly startedAt = performance.now()
  /** What was sent on the connection before. */
  readonly bytesBefore: number
  /** Sent with whatever is answered, errors included: names and values in turn. */
  readonly headers: string[] = []
  /** For the log; undefined until the user is known. */
  user: string | undefined = undefined
  /** For the log: the declared path of a route, whose variables may be secrets, or the path of a resource. */
  shownPath: string
  /** The `WWW-Authenticate` of a refusal; undefined: the client is not to be asked for a password. */
  challenge: string | undefined = undefined
  /** Given in place of what was asked for, by who found out who asks: a page to sign in with, or the way back from it. */
  ending: Answer | undefined = undefined
  /** What is measured together: the route, or that by which the path of a resource ends. */
  measuredAs: Measured | undefined = undefined
  /** Where the request is recorded. */
  span: TraceSpan | undefined = undefined
  /** Of the route that was asked for, where it has one of its own. */
  writeError: ErrorWriter | undefined = undefined
  /** Of the route that was asked for: the anonymous user is nobody there. */
  needsAccount = false
  /** Of the route that was asked for: its answer is not stored. */
  answersSecret = false
  /** Carried out again, it would tell what the caller may know then, and change nothing. */
  onlyReads = false
  /** Written in each transaction of the request, last. */
  markWrite: ((tx: Transaction, repository: Repository) => Promise<void>) | undefined = undefined
  /** Who said who asks; undefined where a session did, or nobody had to. */
  admittedBy: Authenticator | undefined = undefined
  /** Known and let in: from here on errors are entities, whatever the client accepts. */
  isAdmitted = false
  /** Answered with an uncaught error; what its handler gives later is not sent. */
  isRefused = false

  constructor(request: IncomingRequest, response: ServerResponse, id: string) {
    this.request = request
    this.response = response
    this.id = id
    this.shownPath = request.path
    this.bytesBefore = request.raw.socket.bytesWritten
  }

  addHeader(name: string, value: string): void {
    this.headers.push(name, value)
  }
}

/** What all exchanges of a server have in common. */
interface ExchangeEnvironment {
  readonly services: Services
  readonly rendering: Rendering
  readonly transactionTimeoutSeconds: number
  readonly log: Log
  issueCsrfToken(call: Call): Promise<string | undefined>
  renewPrincipal(call: Call): Promise<Principal | undefined>
}

export class HttpExchange extends RepositoryAccess implements Exchange {
  readonly request: IncomingRequest
  readonly services: Services
  readonly rendering: Rendering
  readonly #call: Call
  readonly #environment: ExchangeEnvironment
  #endings: (() => Promise<void>)[] | undefined

  constructor(call: Call, principal: Principal, repository: Repository, environment: ExchangeEnvironment) {
    super(repository, principal)
    this.request = call.request
    this.services = environment.services
    this.rendering = environment.rendering
    this.#call = call
    this.#environment = environment
  }

  get isDelegated(): boolean {
    return this.#call.admittedBy?.isDelegated === true
  }

  onlyReads(): void {
    this.#call.onlyReads = this.#endings === undefined
  }

  override write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result> {
    const call = this.#call
    call.onlyReads = false
    const { markWrite } = call
    if (markWrite === undefined) return super.write(body)
    return super.write(async (session) => {
      const result = await body(session)
      await markWrite(session.tx, this.repository)
      return result
    })
  }

  atEnd(action: () => Promise<void>): void {
    this.#call.onlyReads = false
    this.#endings ??= []
    this.#endings.push(action)
  }

  setCookie(cookie: string): void {
    this.#call.addHeader('Set-Cookie', cookie)
  }

  issueCsrfToken(): Promise<string | undefined> {
    return this.#environment.issueCsrfToken(this.#call)
  }

  renewPrincipal(): Promise<Principal | undefined> {
    return this.#environment.renewPrincipal(this.#call)
  }

  /** Does what was put off until now; undefined when nothing was, as with most requests. */
  end(): Promise<void> | undefined {
    return this.#endings && this.#runAll(this.#endings)
  }

  async #runAll(actions: readonly (() => Promise<void>)[]): Promise<void> {
    const { log } = this.#environment
    for (const action of actions) {
      await action().catch((err: unknown) =>
        log.error({ event: 'http.unfinished', requestId: this.#call.id, err }, 'something to be done after a request failed'),
      )
    }
  }

  protected override accessTo(repository: Repository): Access {
    return new HttpExchange(this.#call, this.principal, repository, this.#environment)
  }

  protected override transactOptions(): TransactOptions {
    return { timeoutSeconds: this.#timeoutSeconds() }
  }

  #timeoutSeconds(): number {
    const { services, transactionTimeoutSeconds, log } = this.#environment
    const header = vendorHeader('platform-transaction-timeout', services.facts.vendored).find(this.request.headers)
    if (header === undefined) return transactionTimeoutSeconds
    const seconds = Number(header)
    // A longer timer than this fires at once; it is 24 days.
    if (Number.isInteger(seconds) && seconds > 0 && seconds < 2_147_483) return seconds
    log.warn(
      { event: 'transaction.timeoutHeader', requestId: this.#call.id },
      'transaction timeout header ignored: not a number of seconds',
    )
    return transactionTimeoutSeconds
  }
}
