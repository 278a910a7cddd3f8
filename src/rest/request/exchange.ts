import type { Access } from '../../core/access.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { Rendering } from '../render/rendering.ts'
import type { Services } from '../services.ts'
import type { ApiRequest } from './request.ts'

/** One request being answered: who asks of which repository, what was asked, and how it is to be shown. */
export interface Exchange extends Access {
  readonly request: ApiRequest
  readonly services: Services
  readonly rendering: Rendering
  /** The caller is a program that the user lets act for them, and not the user. */
  readonly isDelegated: boolean
  /** Done when the request has been answered or has failed, before the client hears of it. A failure is logged and changes nothing. */
  atEnd(action: () => Promise<void>): void
  /**
   * Says of the request that it changes nothing. Repeated with its `Idempotency-Key` it is carried out again, so that it tells what the
   * caller may know then; unless something is written after all, or done at its end.
   */
  onlyReads(): void
  /** Sends a cookie along with whatever is answered: a value of `Set-Cookie`, as `formatCookie` writes it. */
  setCookie(cookie: string): void
  /**
   * Who the caller is now, as long as what let the request in would still do so; undefined from then on. For answers that go on after
   * the request; it counts as no use of a session.
   */
  renewPrincipal(): Promise<Principal | undefined>
  /** What a form of ours has to send as its field `csrf-token`; undefined where the deployment asks for none. */
  issueCsrfToken(): Promise<string | undefined>
}

/** As much of an exchange as an answer is made from: what there is, and how the client wants it shown. */
export interface Answering extends Pick<Exchange, 'services' | 'rendering'> {
  readonly request: Pick<ApiRequest, 'method' | 'headers' | 'query' | 'baseUrl' | 'isFromTrustedProxy'>
}

/** As much of an exchange as there is where work is done that no request waits for. */
export interface Sender extends Pick<Exchange, 'principal' | 'repository' | 'services' | 'atEnd'> {
  readonly request: Pick<ApiRequest, 'headers' | 'baseUrl' | 'signal'>
}
