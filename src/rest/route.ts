import type { Answer } from './answer.ts'
import type { ObjectSchema, Schema } from './openapi/schema.ts'
import type { Exchange } from './request/exchange.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What the documentation says about one way to call something, and what is checked before it is entered. */
export interface Description {
  readonly summary: string
  readonly query?: ObjectSchema
  readonly body?: Schema
  /** The body is shown in the documentation, but the handler checks it itself, with the messages that clients know. */
  readonly checksBodyItself?: true
  /** Whatever a client sends along is not even read. */
  readonly ignoresBody?: true
  /** The handler takes the bytes of the body itself, through `request.openBody`; a `body` then says what the form has. */
  readonly streamsBody?: true
  /**
   * The JSON may come as the field `jsondata` of a form; and a body of several parts is not read, so that the handler can take its
   * bytes through `request.openBody`.
   */
  readonly acceptsForms?: true
  readonly answers: { readonly [status: number]: Schema | string }
}

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
  handle(exchange: Exchange, parameters: { readonly [name: string]: string }): Promise<Answer>
}
