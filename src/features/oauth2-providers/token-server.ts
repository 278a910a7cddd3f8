import { defineProblem } from '../../base/problem.ts'
import { isAddress } from './authorization-address.ts'

export const tokenServerSilent = defineProblem(
  'tokenServerSilent',
  'badGateway',
  (of: { serviceName: string; reason: string }) => `The token server of ${of.serviceName} ${of.reason}. Try again later.`,
)

export const tokenServerRefused = defineProblem(
  'tokenServerRefused',
  'badGateway',
  (of: { serviceName: string; error: string }) => `The token server of ${of.serviceName} refused: ${of.error}.`,
)

/** What a service gave. */
export interface ServiceToken {
  readonly accessToken: string
  readonly refreshToken: string | null
  /** Null: it did not say when the token expires. */
  readonly expiresInSeconds: number | null
}

/** A client that hangs up does not end it: the service may have given its answer by then, and gives it once. */
export interface TokenServerLimits {
  readonly millis: number
}

const maxAnswerBytes = 64 * 1024
const longestSecret = 16 * 1024
const secondsInAYear = 366 * 86_400

/**
 * Posts a form to the token server of a service: within a time, reading no more than an answer has, and never on to where it would
 * redirect, so that nobody but the one whom an administrator named is shown the secret.
 * @throws tokenServerSilent when it gave no token and no reason; tokenServerRefused when it said why not
 */
export async function requestToken(
  { serviceName, tokenServerUrl }: { readonly serviceName: string; readonly tokenServerUrl: string | null },
  form: { readonly [name: string]: string },
  { millis }: TokenServerLimits,
): Promise<ServiceToken> {
  const silent = (reason: string, cause?: unknown) => tokenServerSilent({ serviceName, reason }, { cause })
  if (tokenServerUrl === null || !isAddress(tokenServerUrl)) throw silent('has no address')
  const timeout = AbortSignal.timeout(millis)
  let status: number
  let text: string
  try {
    const answer = await fetch(tokenServerUrl, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      redirect: 'manual',
      signal: timeout,
    })
    status = answer.status
    text = await readBounded(answer)
  } catch (error) {
    throw silent(timeout.aborted ? 'did not answer in time' : 'could not be reached', error)
  }
  const json = parseObject(text)
  const error = typeof json?.['error'] === 'string' ? json['error'] : undefined
  if (status >= 400 && status < 500 && error !== undefined)
    throw tokenServerRefused({ serviceName, error: describeError(error, json) })
  if (status !== 200) throw silent(`answered with status ${status}`)
  const token = json && parseToken(json)
  if (token === undefined) throw silent('answered with something that is no token')
  return token
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > maxAnswerBytes) throw new Error(`The answer has more than ${maxAnswerBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseObject(text: string): { readonly [name: string]: unknown } | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as { [name: string]: unknown }) : undefined
  } catch {
    return undefined
  }
}

/** Shown to the caller, and so no longer than a sentence, in letters that can be shown. */
function describeError(error: string, json: { readonly [name: string]: unknown } | undefined): string {
  const description = json?.['error_description']
  const told = typeof description === 'string' && description !== '' ? `${error} (${description})` : error
  return told
    .replace(/[^\x20-\x7e\u00a0-\uffff]/g, ' ')
    .slice(0, 200)
    .toWellFormed()
}

function parseToken(json: { readonly [name: string]: unknown }): ServiceToken | undefined {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = json
  if (!isSecret(accessToken)) return undefined
  // Some send the seconds as a text.
  const seconds = Number(expiresIn ?? Number.NaN)
  return {
    accessToken,
    refreshToken: isSecret(refreshToken) ? refreshToken : null,
    expiresInSeconds: Number.isFinite(seconds) ? Math.min(Math.max(0, Math.floor(seconds)), 10 * secondsInAYear) : null,
  }
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestSecret && !value.includes('\0')
}
