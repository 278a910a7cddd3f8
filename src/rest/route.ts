import type { Json } from '../base/json.ts'
import type { Answer } from './answer.ts'
import type { Answers } from './openapi/answers.ts'
import type { ObjectSchema, Schema } from './openapi/schema.ts'
import type { NoBody, NoFields, Sent, SentFor, Taking } from './payload/declared-input.ts'
import type { Exchange } from './request/exchange.ts'
import type { ApiRequest } from './request/request.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What the documentation says about one way to call something, and what is taken from the request. */
export interface Description extends Taking {
  readonly summary: string
  /**
   * The name of the call in generated clients: a verb and a noun, `listUsers`. Derived from method and path unless told; behind an
   * adapter's stands what it is applied to.
   */
  readonly operationId?: string
  /** Whatever a client sends along is not even read. */
  readonly ignoresBody?: true
  /** The handler takes the bytes of the body itself, through `request.openBody`. */
  readonly streamsBody?: true
  /** What the form has that is streamed. Its fields are read by `readFields` of their declaration. */
  readonly form?: {
    readonly mediaType: 'multipart/form-data' | 'application/x-www-form-urlencoded'
    readonly fields: ObjectSchema
  }
  /**
   * The JSON may come as the field `jsondata` of a form; and a body of several parts is not read, so that the handler can take its
   * bytes through `request.openBody`.
   */
  readonly acceptsForms?: true
  readonly answers: Answers
}

/** What was thrown, and what would be answered: of anything but a problem its message tells nothing. */
export type ErrorWriter = (error: unknown, answered: { readonly status: number; readonly message: string }) => Json

/**
 * An endpoint with a fixed path: `/me`, `/config/types/{type}`. Documents and everything that adapters chain on are
 * resources instead (resource.ts).
 * @example
 * const ping: Route = {
 *   method: 'GET', path: '/ping', under: 'api', summary: 'Answers pong', answers: { 200: Type.Object({ pong: Type.Boolean() }) },
 *   handle: async () => json({ pong: true }),
 * }
 */
export interface Route extends Description {
  readonly method: Method
  /**
   * With `{name}` for a variable segment, given decoded as `parameters.name`, and `{name+}` for one or more of them: ids that
   * may hold slashes. What follows such a one is a literal segment or nothing.
   */
  readonly path: string
  /** `api`: below `/api/v1` (and its aliases, and after `/repo/{name}`); `server`: below the context root. */
  readonly under: 'api' | 'server'
  /** The parameter that names the repository, where the path below the context root does. */
  readonly repositoryIn?: string
  /** Answered without credentials; the exchange then has the anonymous principal. */
  readonly isPublic?: boolean
  /**
   * Only for people with an account, as what lets others act for them is: whoever has no credentials is asked for some, be there an
   * anonymous user or not, and guests are refused.
   */
  readonly needsAccount?: boolean
  /**
   * What it answers with lets whoever has it act for somebody, and is nowhere stored as it is: neither is the answer, so that a request
   * that is repeated with its `Idempotency-Key` is carried out again.
   */
  readonly answersSecret?: true
  /** Whether this request is answered without the credentials of a user, as one with a key of its own is. */
  isOpenTo?(request: ApiRequest): boolean
  /** Left out of the documentation: a page that only tells people that they are wrong there, or what most servers do not have. */
  readonly isUndocumented?: true
  /**
   * The body of a refusal, for an API that has errors of its own shape; the exception entity otherwise. It serves the unknown addresses
   * around its routes, too.
   */
  readonly writeError?: ErrorWriter
  handle(exchange: Exchange, parameters: { readonly [name: string]: string }, sent: Sent): Promise<Answer>
}

type RouteTaking<Body extends Schema, Query extends ObjectSchema, Headers extends ObjectSchema> = Omit<
  Route,
  'handle' | keyof Taking
> &
  Taking<Body, Query, Headers> & {
    handle(
      exchange: Exchange,
      parameters: { readonly [name: string]: string },
      sent: SentFor<Body, Query, Headers>,
    ): Promise<Answer>
  }

/**
 * A route whose handler is given what it declares: the body, query and headers as their schemas say.
 * @example
 * const greet = defineRoute({
 *   method: 'POST', path: '/greet', under: 'api', summary: 'Greets somebody',
 *   body: Type.Object({ name: Type.String() }),
 *   query: Type.Object({ times: Type.Optional(Type.Integer({ minimum: 1 })) }),
 *   answers: { 200: Type.Object({ text: Type.String() }) },
 *   handle: async (_exchange, _parameters, { body, query }) => json({ text: `Hello ${body.name}! `.repeat(query.times ?? 1) }),
 * })
 */
export function defineRoute<
  Body extends Schema = NoBody,
  Query extends ObjectSchema = NoFields,
  Headers extends ObjectSchema = NoFields,
>(route: RouteTaking<Body, Query, Headers>): Route {
  return route
}
