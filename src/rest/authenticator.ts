import { defineProblem } from '../base/problem.ts'
import type { Principals } from '../core/principals/principals.ts'
import type { Principal } from '../model/rights/principal.ts'
import type { ApiRequest } from './request/request.ts'

/** Finds out who sends a request. The first in the chain that recognises credentials decides, also by refusing them. */
export interface Authenticator {
  /** As chains name it: `BASIC_AUTH`. */
  readonly name: string
  identify(request: Pick<ApiRequest, 'headers' | 'query' | 'connection'>, principals: Principals): Identity | Promise<Identity>
}

export type Identity =
  /** The request carries nothing this authenticator knows. */
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly name: string }
  | { readonly kind: 'known'; readonly principal: Principal }

/** The resource needs a user, and the request has no credentials. */
export const notAuthenticated = defineProblem('notAuthenticated', 'unauthenticated', (_: object) => 'Unauthorized')
