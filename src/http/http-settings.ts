import { type ApiValues, type EntityLimitValues, jsonLimitsOf } from '../rest/api-settings.ts'
import type { JsonLimits } from '../rest/render/json-bytes.ts'
import type { SessionValues } from '../rest/session-settings.ts'
import type { ConnectionLimits } from './protection/connections.ts'
import type { CorsConfiguration } from './protection/cors.ts'
import type { HttpValues } from './settings.ts'
import { type Encryption, encryptionOf, type PlainHttp, transportSecurityOf } from './tls/encryption.ts'

/** What the HTTP floor is told; reading and checking the deployment's settings happens elsewhere. */
export interface HttpSettings {
  /** The context root: empty, or with a leading and without a trailing slash. */
  readonly basePath: string
  /** Where people begin, below the context root. */
  readonly startPage: string
  /** The server's address as clients know it, when headers do not tell. */
  readonly virtualHost?: string
  /** Names that the server goes by beside those of the own machine; none means any, unless the password is the default one. */
  readonly allowedHosts: readonly string[]
  /** Addresses and ranges whose `X-Forwarded-…` and virtual-host headers are believed. */
  readonly trustedProxies: readonly string[]
  readonly csrf: {
    readonly enabled: boolean
    /** Paths below the context root that need no token, compared as a whole. */
    readonly skip: readonly string[]
  }
  readonly cors: {
    /** The first whose pattern matches a path decides about it. */
    readonly configurations: readonly CorsConfiguration[]
    /** `Origin: null` counts as no origin. For development. */
    readonly allowNullOrigin: boolean
  }
  readonly session: {
    readonly timeoutSeconds: number
    readonly sameSite: '' | 'Lax' | 'Strict' | 'None'
  }
  readonly frameOptions: string
  readonly referrerPolicy: string
  /** Replaces a default response header, or leaves it out when null. */
  readonly responseHeaders: { readonly [name: string]: string | null }
  /** Where the server speaks TLS itself. */
  readonly encryption?: Encryption
  readonly plainHttp: PlainHttp
  /** Strict-Transport-Security of answers over TLS. */
  readonly transportSecurity?: string
  readonly openUrls: readonly OpenUrl[]
  readonly jsonLimits: JsonLimits
  readonly answerMaxBytes: number
  readonly transactionTimeoutSeconds: number
  readonly idempotencyTtlSeconds: number
  readonly idleConnectionSeconds: number
  /** The head of a request has to be there within this time. */
  readonly headersSeconds: number
  readonly connections: ConnectionLimits
  /** A client that sends nothing of its body for so long is disconnected. */
  readonly bodyStallSeconds: number
  readonly rateLimits: {
    /** Requests a second, 0 for any number. */
    readonly address: number
    readonly user: number
    /** How often processes on one database tell each other; 0: never, or there is only one. */
    readonly exchangeMilliseconds: number
  }
  /** The file of the request log, or `-` for standard output. */
  readonly requestLog?: string
  /** How long `stop` waits for requests in flight before it cuts them off. */
  readonly stopGraceSeconds: number
}

interface ProcessValues {
  readonly workers: number
  readonly databaseUrl: string | undefined
}

/** What the deployment's settings come to here. @throws certificateMissing, nothingToListenOn */
export function httpSettingsOf(
  settings: HttpValues & SessionValues & ApiValues & EntityLimitValues & ProcessValues & Pick<HttpSettings, 'startPage'>,
): HttpSettings {
  const encryption = encryptionOf(settings)
  const transportSecurity = transportSecurityOf(settings)
  return {
    basePath: settings.basePath,
    startPage: settings.startPage,
    ...(settings.virtualHost !== undefined && { virtualHost: settings.virtualHost }),
    allowedHosts: settings.allowedHosts,
    trustedProxies: settings.proxyTrusted ? settings.trustedProxies : [],
    csrf: { enabled: settings.csrfTokenEnabled, skip: [...settings.csrfTokenSkip, invitationForm] },
    cors: { configurations: corsConfigurations(settings), allowNullOrigin: settings.corsAllowNullOrigin || settings.devMode },
    session: { timeoutSeconds: settings.sessionTimeout / 1000, sameSite: settings.sessionSameSite },
    frameOptions: settings.frameOptions,
    referrerPolicy: settings.referrerPolicy,
    responseHeaders: {},
    ...(encryption !== undefined && { encryption }),
    plainHttp: settings.plainHttp,
    ...(transportSecurity !== undefined && { transportSecurity }),
    openUrls: defaultOpenUrls(settings.basePath),
    jsonLimits: jsonLimitsOf(settings),
    // What was counted while it was written was counted roughly.
    answerMaxBytes: settings.answerMaxSize * 2,
    transactionTimeoutSeconds: settings.transactionTimeout / 1000,
    idempotencyTtlSeconds: settings.idempotencyTtl / 1000,
    idleConnectionSeconds: settings.connectionIdleTimeout / 1000,
    headersSeconds: settings.connectionHeadersTimeout / 1000,
    connections: connectionLimitsOf(settings),
    bodyStallSeconds: settings.connectionUploadTimeout / 1000,
    rateLimits: {
      address: settings.addressRateLimit,
      user: settings.userRateLimit,
      exchangeMilliseconds: hasOtherProcesses(settings) ? settings.rateLimitExchange : 0,
    },
    ...(settings.requestLog !== undefined && { requestLog: settings.requestLog }),
    stopGraceSeconds: settings.stopTimeout / 1000,
  }
}

/** Of an embedded database it is known; PostgreSQL may have other servers on it. */
function hasOtherProcesses({ workers, databaseUrl }: ProcessValues): boolean {
  return workers > 1 || databaseUrl !== undefined
}

function connectionLimitsOf(settings: HttpValues & ProcessValues): ConnectionLimits {
  return {
    maxConnections: settings.maxConnections,
    maxPerAddress: settings.maxConnectionsPerAddress,
    siblings: settings.workers - 1,
    firstByteSeconds: settings.connectionFirstByteTimeout / 1000,
    stallSeconds: settings.connectionUploadTimeout / 1000,
    minBytesPerSecond: settings.connectionMinRate,
  }
}

function corsConfigurations(settings: HttpValues): readonly CorsConfiguration[] {
  if (settings.corsUrls.length === 0) return []
  return [
    {
      name: 'cors',
      pattern: settings.corsPattern,
      allowOrigin: settings.corsUrls.join(' '),
      allowSubdomains: settings.corsAllowSubdomains,
      supportedMethods: settings.corsSupportedMethods,
      exposedHeaders: settings.corsExposedHeaders,
      maxAgeSeconds: settings.corsMaxAge,
    },
  ]
}

/** Paths that are answered without credentials: regular expressions on the whole path, context root included. */
export interface OpenUrl {
  readonly method?: string
  readonly grant?: string
  /** Wins over any grant. */
  readonly deny?: string
}

/**
 * What it does is up to the key that is sent, not to who sends it: there is nothing to forge, and the client has no token yet.
 */
const invitationForm = '/site/userInvitation/validate'

/** The open paths of every server, below its context root (contract: security 1). */
function defaultOpenUrls(basePath: string): readonly OpenUrl[] {
  const context = basePath.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return [
    { grant: `${context}/api/v[0-9]+/doc/.*` },
    { grant: `${context}/site/api/v[0-9]+/doc/.*` },
    { grant: `${context}/site/skin/api/.*` },
    { grant: `${context}${invitationForm}` },
    { grant: `${context}/site/userInvitation/enterpassword/.*` },
  ]
}
