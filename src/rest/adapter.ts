import type { Session } from '../core/session.ts'
import type { ObjectSchema } from './openapi/schema.ts'
import type { Exchange } from './request/exchange.ts'
import type { MethodTable, Resource } from './resource.ts'
import type { Description } from './route.ts'

/**
 * Turns a resource into another one: the `@children` in `/id/x/@children`. Adapters chain; each takes what the one
 * before it made.
 * @example
 * const parent: Adapter = {
 *   name: 'parent', summary: 'The folder that the document is in', accepts: ['document'],
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
  readonly query?: ObjectSchema
  /** Of GET, where the result is more than one thing. */
  readonly answers?: Description['answers']
  /** The result for GET and for the next adapter of a chain. Absent: the adapter ends a chain and has only methods. */
  resolve?(call: AdapterCall): Promise<Resource>
  readonly methods?: MethodTable<AdapterMethodCall>
}

export interface AdapterCall {
  readonly session: Session
  readonly exchange: Exchange
  readonly resource: Resource
  readonly tail: readonly string[]
}

/** A method runs what it needs itself: it may have to prepare before its transaction. */
export interface AdapterMethodCall {
  readonly exchange: Exchange
  readonly tail: readonly string[]
  /** Resolves what the adapter is applied to, in the session it is handed. */
  resolve(session: Session): Promise<Resource>
}
