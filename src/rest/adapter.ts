import type { Session } from '../core/session.ts'
import type { Answer } from './answer.ts'
import type { Answers } from './openapi/answers.ts'
import type { ObjectSchema, Schema } from './openapi/schema.ts'
import type { NoBody, NoFields, Sent, SentFor, Taking } from './payload/declared-input.ts'
import type { Exchange } from './request/exchange.ts'
import type { MethodOf, MethodTable, Resource } from './resource.ts'
import type { Description } from './route.ts'

/**
 * Turns a resource into another one: the `@children` in `/id/x/@children`. Adapters chain; each takes what the one
 * before it made.
 * @example
 * const parent: Adapter = {
 *   name: 'parent', summary: 'The folder that the document is in', accepts: ['document'], yields: 'document',
 *   resolve: async ({ session, resource }) => {
 *     const { parentId } = requireDocument(resource)
 *     return { kind: 'document', document: await readDocument(session, parentId ?? '') }
 *   },
 * }
 */
export interface Adapter {
  readonly name: string
  readonly summary: string
  readonly accepts: readonly Resource['kind'][]
  /** What may follow the name: `/@pp/{name}`. Documentation shows it; absent means nothing may. */
  readonly tail?: string
  /** Of GET: `listChildren`, behind which stands what it is applied to. */
  readonly operationId?: string
  /** Of GET and of what it gives to the next adapter. */
  readonly query?: ObjectSchema
  readonly headers?: ObjectSchema
  /** What it makes, for the documentation of GET. */
  readonly yields?: Resource['kind']
  /** Of GET, where the kind says too little. */
  readonly answers?: Answers
  /** The result for GET and for the next adapter of a chain. Absent: the adapter ends a chain and has only methods. */
  resolve?(call: AdapterCall): Promise<Resource>
  readonly methods?: MethodTable<AdapterMethodCall>
  /** Addresses below it, each with methods of its own; anything else below it is not found. Absent: `methods` take any tail. */
  readonly below?: readonly AdapterPlace[]
}

/** `/@comment/{commentId}`: an address below an adapter. */
export interface AdapterPlace {
  /** `external/{entityId+}`: what is in braces is any one segment, with a plus also several. The first place that fits is meant. */
  readonly tail: string
  readonly methods: MethodTable<AdapterMethodCall>
}

export interface AdapterCall<Given extends Sent = Sent> {
  readonly session: Session
  readonly exchange: Exchange
  readonly resource: Resource
  readonly tail: readonly string[]
  readonly sent: Given
}

/** A method runs what it needs itself: it may have to prepare before its transaction. */
export interface AdapterMethodCall<Given extends Sent = Sent> {
  readonly exchange: Exchange
  readonly tail: readonly string[]
  readonly sent: Given
  /** Resolves what the adapter is applied to, in the session it is handed. */
  resolve(session: Session): Promise<Resource>
}

type AdapterTaking<Query extends ObjectSchema, Headers extends ObjectSchema> = Omit<Adapter, 'resolve' | 'query' | 'headers'> & {
  readonly query?: Query
  readonly headers?: Headers
  resolve?(call: AdapterCall<SentFor<NoBody, Query, Headers>>): Promise<Resource>
}

/** An adapter that is given the parameters that it declares. */
export function defineAdapter<Query extends ObjectSchema = NoFields, Headers extends ObjectSchema = NoFields>(
  adapter: AdapterTaking<Query, Headers>,
): Adapter {
  return adapter
}

/** A method of an adapter that is given what it declares. */
export function adapterMethod<
  Body extends Schema = NoBody,
  Query extends ObjectSchema = NoFields,
  Headers extends ObjectSchema = NoFields,
>(
  method: Omit<Description, keyof Taking> &
    Taking<Body, Query, Headers> & { handle(call: AdapterMethodCall<SentFor<Body, Query, Headers>>): Promise<Answer> },
): MethodOf<AdapterMethodCall> {
  return method
}

/** What the adapter does at an address that begins with it; undefined where there is none of its places. */
export function findMethodsAt(
  { below, methods = {} }: Adapter,
  tail: readonly string[],
): MethodTable<AdapterMethodCall> | undefined {
  if (below === undefined || tail.length === 0) return methods
  return below.find((place) => fits(place.tail, tail))?.methods
}

function fits(template: string, tail: readonly string[]): boolean {
  const parts = template.split('/')
  const hasRoom = template.endsWith('+}') ? parts.length <= tail.length : parts.length === tail.length
  return hasRoom && parts.every((part, index) => part.startsWith('{') || part === tail[index])
}
