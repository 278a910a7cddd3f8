import { createHmac, randomBytes } from 'node:crypto'
import { isSameText } from '../../base/same-text.ts'
import { findCookie, formatCookie } from '../../rest/request/cookies.ts'
import { sessionCookieName } from '../../rest/session-settings.ts'
import type { HttpSettings } from '../http-settings.ts'

export interface SessionTicket {
  readonly id: string
  readonly issuedAtSeconds: number
}

/**
 * Sessions without a store: the cookie carries its id and its age, signed, so that every process that shares the secret
 * accepts it and a restart loses no session.
 */
export interface SessionCookies {
  create(nowSeconds: number): SessionTicket
  /** Undefined when there is none, it is forged, or it was idle for too long. */
  find(cookieHeader: string | undefined, nowSeconds: number): SessionTicket | undefined
  /** Whether the cookie should be sent anew, so that a session in use does not expire. */
  isAgeing(ticket: SessionTicket, nowSeconds: number): boolean
  /** The value of `Set-Cookie`. */
  format(ticket: SessionTicket, isEncrypted: boolean): string
  /** Forty letters and digits that belong to this session for as long as it lives. */
  csrfToken(ticket: SessionTicket): string
}

export function createSessionCookies(settings: Pick<HttpSettings, 'basePath' | 'session'>, secret: string): SessionCookies {
  const { timeoutSeconds, sameSite } = settings.session

  const sign = (ticket: SessionTicket) =>
    createHmac('sha256', secret).update(`session ${ticket.id} ${ticket.issuedAtSeconds}`).digest('base64url')

  function find(cookieHeader: string | undefined, nowSeconds: number): SessionTicket | undefined {
    const [id, issued, signature] = findCookie(cookieHeader, sessionCookieName)?.split('.') ?? []
    if (id === undefined || issued === undefined || signature === undefined) return undefined
    const ticket = { id, issuedAtSeconds: Number.parseInt(issued, 36) }
    if (!isSameText(signature, sign(ticket))) return undefined
    return nowSeconds - ticket.issuedAtSeconds > timeoutSeconds ? undefined : ticket
  }

  function format(ticket: SessionTicket, isEncrypted: boolean): string {
    const value = `${ticket.id}.${ticket.issuedAtSeconds.toString(36)}.${sign(ticket)}`
    return formatCookie(sessionCookieName, value, { path: settings.basePath, isSecure: isEncrypted, sameSite })
  }

  return {
    create: (nowSeconds) => ({ id: randomBytes(18).toString('base64url'), issuedAtSeconds: nowSeconds }),
    find,
    isAgeing: (ticket, nowSeconds) => nowSeconds - ticket.issuedAtSeconds > timeoutSeconds / 10,
    format,
    csrfToken: (ticket) => lettersAndDigits(createHmac('sha512', secret).update(`csrf ${ticket.id}`).digest(), 40),
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function lettersAndDigits(bytes: Buffer, length: number): string {
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('')
}
