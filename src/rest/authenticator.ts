import { defineProblem } from '../base/problem.ts'
import type { Principals } from '../core/principals/principals.ts'
import type { Principal } from '../model/rights/principal.ts'
import type { Answer } from './answer.ts'
import type { ApiRequest } from './request/request.ts'

/** What a browser sends along with every request. */
export type BrowserRequest = Pick<
  ApiRequest,
  'method' | 'basePath' | 'serverPath' | 'search' | 'query' | 'headers' | 'baseUrl' | 'connection' | 'clientAddress' | 'cookie'
>

/** A request as those see it who find out who sends it: before anybody else looks at it. */
export interface CredentialRequest extends BrowserRequest {
  /**
   * The fields that a browser posted; empty where nothing was, or more than a form to sign in with has. The handler of the request
   * can read them again.
   */
  readForm(): Promise<URLSearchParams>
}

/**
 * Finds out who sends a request. The first in the chain that recognises credentials decides, also by refusing them.
 * @example
 * const badge: Authenticator = {
 *   name: 'BADGE_AUTH',
 *   async identify({ headers }, principals) {
 *     const name = headers['x-badge']
 *     if (typeof name !== 'string') return { kind: 'none' }
 *     const principal = await principals.find(name)
 *     return principal === undefined ? { kind: 'refused', name } : { kind: 'known', principal }
 *   },
 * }
 */
export interface Authenticator {
  /** As chains name it: `BASIC_AUTH`. */
  readonly name: string
  /** A session is opened for those whom it lets in, so that their browser need not send the credentials again. */
  readonly isStateful?: true
  /** Whom it lets in are programs that act for users by their consent: these grant nothing on in the user's name (`requireNoProgram`). */
  readonly isDelegated?: true
  /** It may say that a request is of the anonymous user. Of all others nobody is let in by a name that stands for no one. */
  readonly admitsAnonymous?: boolean
  /** Told at once where it can be: every request asks. */
  identify(request: CredentialRequest, principals: Principals): Identity | Promise<Identity>
  /**
   * Who sent a request whose answer goes on, as of now: for those whose proofs can be used once. Others are asked to `identify` it
   * again.
   */
  identifyAgain?(request: CredentialRequest, principals: Principals): Promise<Identity>
  /**
   * Whether somebody signs in with this request: then it is not answered for whom the session that it came with belongs to. For
   * authenticators that are stateful.
   */
  isSignIn?(request: CredentialRequest): boolean
  /**
   * How a person is asked for credentials; undefined where it is not up to this one. The first in the chain that knows how decides;
   * without any the answer is 401 and nothing else.
   */
  prompt?(request: CredentialRequest, failure: SignInFailure): Prompt | undefined | Promise<Prompt | undefined>
  /** Called at the start where a chain names it. @throws what has to be set before it can be asked */
  checkSettings?(): void
  /** What those whom it let in are shown in place of a refusal, where another might be let see what was asked for. */
  answerRefusal?(request: CredentialRequest): Answer | undefined
  /** Cookies to set when a person signs out, as values of `Set-Cookie`. */
  logout?(request: BrowserRequest): readonly string[]
}

export type Identity =
  /** The request carries nothing this authenticator knows. */
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly name: string }
  /** Too many guesses: the credentials were not even looked at. */
  | { readonly kind: 'throttled'; readonly name: string; readonly retryAfterSeconds: number }
  | {
      readonly kind: 'known'
      readonly principal: Principal
      /** To set with whatever is answered, as values of `Set-Cookie`. */
      readonly cookies?: readonly string[]
      /** Given in place of what was asked for: the way back to the page that a person wanted to see. */
      readonly answer?: Answer
    }

/** Why nobody is let in. */
export type SignInFailure =
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly name: string }
  | { readonly kind: 'throttled'; readonly name: string; readonly retryAfterSeconds: number }
  /** The directory of users does not answer. */
  | { readonly kind: 'uncheckable' }

export type Prompt =
  /** 401 with this `WWW-Authenticate`; without any where the client asked not to be bothered. */
  { readonly kind: 'challenge'; readonly challenge?: string } | { readonly kind: 'page'; readonly answer: Answer }

/**
 * Who is asked, and in which order, for some of all requests. The first chain that matches is taken, and where none does, the default
 * one. The order of the built-in ones is from 100 on.
 * @example
 * const feeds: AuthenticationChain = { name: 'Feeds', path: '.*[/]feeds[/].*', allowedPlugins: ['BASIC_AUTH'], handlePrompt: false }
 */
export interface AuthenticationChain {
  readonly name: string
  /** Lower is tried first; 0 when absent. */
  readonly order?: number
  /** A regular expression that matches the whole path, context root included. */
  readonly path?: string
  /** A header that the request has, in lower case, whatever it says. With `path` both must hold. */
  readonly header?: string
  /** Names of authenticators in the order they are asked; a name that nobody has is passed over, unless a setting has it. */
  readonly replacementChain?: readonly string[]
  /** The setting that says the names: an operator who mistypes one is told. */
  readonly setting?: string
  /** Those of the default chain that are asked, where there is no replacement. */
  readonly allowedPlugins?: readonly string[]
  /** Those of the default chain that are not asked, where it is to be all others. */
  readonly deniedPlugins?: readonly string[]
  /** False: nobody is prompted, and 401 says where to sign in. */
  readonly handlePrompt?: boolean
}

/** The name of the chain that is taken where no other matches. */
export const defaultChain = 'default'

/** Remembers by a cookie who signed in with a browser. A server has one at most. */
export interface SessionKeeper {
  readonly name: string
  /** Who signed in, as of now. Asked of requests with cookies; told at once where it can be. */
  find(request: BrowserRequest): KeptIdentity | undefined | Promise<KeptIdentity | undefined>
  /** The same, without counting as a use of the session: for an answer that goes on while nobody may be there. */
  peek(request: BrowserRequest): Promise<Principal | undefined>
  /** Begins a session under a new id, and ends the one that the request came with. Gives cookies, as values of `Set-Cookie`. */
  open(request: BrowserRequest, principal: Principal, authenticator: string): Promise<readonly string[]>
  /** The session that the request came with goes on under a new id after its user changed the password, which ends all others. */
  renew(request: BrowserRequest, principal: Principal): Promise<readonly string[]>
  /** Ends the session that the request came with, if any. */
  end(request: BrowserRequest): Promise<readonly string[]>
  /** Where somebody who was just let in wanted to go: given in place of what was asked for. */
  leadOn(request: BrowserRequest): Answer | undefined
}

export interface KeptIdentity {
  readonly principal: Principal
  /** Of the session, for who lists them; it opens nothing. */
  readonly id: string
  /** Who let it in: `FORM_AUTH`. */
  readonly authenticator: string
  /** To set with whatever is answered. */
  readonly cookies?: readonly string[]
}

/**
 * A way to sign in that leads elsewhere, such as a company's identity provider: a button on the sign-in page.
 * @example
 * const company: SignInLink = {
 *   name: 'company', label: 'Our company',
 *   urlFor: ({ baseUrl }, requestedUrl) => `${baseUrl}company/sign-in?requestedUrl=${encodeURIComponent(requestedUrl ?? '')}`,
 * }
 */
export interface SignInLink {
  readonly name: string
  readonly label: string
  /** Where the button leads; `requestedUrl` is what the person wanted to see, below the base URL. */
  urlFor(request: BrowserRequest, requestedUrl: string | undefined): string
  /** Why people come back to the sign-in page: what it tells them, by the parameter of it that is `true` then. */
  readonly problems?: { readonly [parameter: string]: { readonly [language in 'en' | 'fr']: string } }
  /** Called when somebody signs out; undefined where they came in another way. What cannot be done elsewhere does not stop it. */
  signOut?(request: BrowserRequest, session: KeptIdentity): Promise<SignOutElsewhere | undefined>
}

export interface SignOutElsewhere {
  /** Where the browser goes to sign out there, too; undefined where there is no such place. */
  readonly url?: string
  /** To set with the answer. */
  readonly cookies: readonly string[]
}

/**
 * Whether somebody who is known may come in at all. Whoever one refuses is treated as if the credentials were wrong.
 * @example
 * const staffOnly: AdmissionRule = { name: 'staffOnly', admits: ({ groups }) => groups.includes('staff') }
 */
export interface AdmissionRule {
  readonly name: string
  /** Asked with every request, so it answers from memory. */
  admits(principal: Principal): boolean
}

/** What plugins contribute to signing in. */
export interface AuthenticationParts {
  readonly authenticators: readonly Authenticator[]
  readonly chains: readonly AuthenticationChain[]
  readonly sessions: SessionKeeper | undefined
  readonly links: readonly SignInLink[]
  readonly admissionRules: readonly AdmissionRule[]
}

/** The resource needs a user, and the request has no credentials. */
export const notAuthenticated = defineProblem('notAuthenticated', 'unauthenticated', (_: object) => 'Unauthorized')

export const credentialsUncheckable = defineProblem(
  'credentialsUncheckable',
  'unavailable',
  (_: object) => 'The credentials cannot be checked now. Try again later.',
)

export const tooManyAttempts = defineProblem(
  'tooManyAttempts',
  'throttled',
  (of: { retryAfterSeconds: number }) =>
    `Too many attempts to sign in have failed. Try again in ${of.retryAfterSeconds} seconds.`,
)
