import { escapeHtml } from '../../base/html/escape-html.ts'
import type { Log } from '../../base/log.ts'
import { Problem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { Answer, AnswerHeaders } from '../../rest/answer.ts'
import { credentialsUncheckable, notAuthenticated, tooManyAttempts } from '../../rest/authenticator.ts'
import { rangeNotSatisfiable } from '../../rest/download/download.ts'
import { methodNotAllowed } from '../../rest/method-not-allowed.ts'
import { type ErrorEntity, errorEntity } from '../../rest/render/exception-entity.ts'
import { parseLocales } from '../../rest/request/accept-language.ts'
import { keyInUse } from '../protection/idempotency.ts'
import { tooManyRequests } from '../protection/rate-limit.ts'
import { invalidCsrfToken } from '../protection/request-protection.ts'
import { acceptsJson } from '../request/request-headers.ts'
import type { Call } from './http-exchange.ts'

interface ErrorAnswerOptions {
  readonly vendored: VendorIdentifiers
  readonly showsStackTraces: () => boolean
  readonly log: Log
}

/** Turns whatever was thrown into what is answered, with the headers that belong to it. */
export function createErrorAnswers(options: ErrorAnswerOptions): (call: Call, error: unknown) => Answer {
  const { vendored, log } = options
  return (call, error) => {
    if (!(error instanceof Problem) || error.kind === 'failed') {
      log.error(
        { event: 'http.failed', requestId: call.id, method: call.request.method, path: call.shownPath, err: error },
        'request failed',
      )
    } else if (error.kind === 'unavailable') {
      log.warn({ event: 'http.unavailable', requestId: call.id, path: call.shownPath, err: error }, 'request could not be served')
    }
    const locales = parseLocales(call.request.headers['accept-language'])
    const written = withOwnStatus(error, errorEntity(error, { vendored, showStack: options.showsStackTraces(), locales }))
    const headers = headersFor(call, error)
    const message = String(written.body['message'] ?? '')
    if (call.writeError !== undefined) {
      const text = JSON.stringify(call.writeError(error, { status: written.status, message }))
      return { kind: 'text', status: written.status, contentType: 'application/json; charset=UTF-8', text, headers }
    }
    // Before authentication the client may be a browser; a resource is only ever called by a program.
    if (call.isAdmitted || acceptsJson(call.request.headers.accept)) return { kind: 'entity', headers, ...written }
    const page = renderErrorPage(written.status, message)
    return { kind: 'text', status: written.status, contentType: 'text/html;charset=UTF-8', text: page, headers }
  }
}

/** The directory of users does not answer: a gateway's timeout, so that clients do not take the password for wrong (security 2.2). */
function withOwnStatus(error: unknown, written: ErrorEntity): ErrorEntity {
  if (!credentialsUncheckable.is(error)) return written
  return { ...written, status: 504, body: { ...written.body, status: 504 } }
}

function headersFor({ challenge }: Call, error: unknown): AnswerHeaders {
  if (methodNotAllowed.is(error)) return { Allow: error.details.allowed.join(', ') }
  if (invalidCsrfToken.is(error)) return { 'CSRF-Token': 'invalid' }
  if (rangeNotSatisfiable.is(error)) return { 'Content-Range': `bytes */${error.details.length}` }
  if (keyInUse.is(error)) return { 'Retry-After': '1' }
  if (tooManyAttempts.is(error) || tooManyRequests.is(error)) return { 'Retry-After': String(error.details.retryAfterSeconds) }
  if (!notAuthenticated.is(error) && !credentialsUncheckable.is(error)) return {}
  return challenge === undefined ? {} : { 'WWW-Authenticate': challenge }
}

/** The page for a person whose browser was refused: what the exception entity says, in HTML. */
function renderErrorPage(status: number, message: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${status} ${escapeHtml(message)}</title></head>
<body><h1>${status}</h1><p>${escapeHtml(message)}</p></body>
</html>
`
}
