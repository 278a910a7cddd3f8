import { isAddressRange } from '../base/address-range.ts'
import { isRegularExpression } from '../base/regular-expression.ts'
import { defineSettings, type SettingValues } from '../settings/define-settings.ts'

/**
 * Who is answered, and how. Some are also known by the property name that clients' documentation uses (contract: security 13), written
 * here in its neutral form.
 */
export const httpSettings = defineSettings({
  basePath: {
    type: 'string',
    default: '',
    pattern: { matches: /^(\/[\w.~-]+)*$/, expected: 'empty or a path such as /content, without a slash at its end' },
    help: 'Path under which everything is served',
  },
  allowedHosts: {
    type: 'list',
    default: [],
    pattern: { matches: /^(?:\*\.)?[\w.-]+$|^[\da-fA-F:]+$/, expected: 'a host name such as dms.example.com or *.example.com' },
    help: 'Host names that are answered beside those of the own machine; without any, all are, unless Administrator has the default password',
  },
  trustedProxies: {
    type: 'list',
    default: ['127.0.0.0/8', '::1'],
    pattern: { matches: { test: isAddressRange }, expected: 'an address or a range such as 10.0.0.0/8' },
    help: 'Addresses of proxies whose X-Forwarded-… headers are believed',
  },
  virtualHost: {
    type: 'url',
    property: 'platform.virtual.host',
    help: 'Address of the server as clients see it, for the links in answers',
  },
  proxyTrusted: {
    type: 'boolean',
    default: true,
    property: 'platform.proxy.trusted',
    help: 'Believe X-Forwarded-… headers of the trusted proxies',
  },
  csrfTokenEnabled: {
    type: 'boolean',
    default: false,
    property: 'platform.csrf.token.enabled',
    help: 'Require a CSRF token on every request that changes something',
  },
  csrfTokenSkip: {
    type: 'list',
    default: [],
    property: 'platform.csrf.token.skip',
    pattern: { matches: /^\//, expected: 'a path that starts with /' },
    help: 'Paths below the base path that need no CSRF token',
  },
  corsUrls: {
    type: 'list',
    default: [],
    property: 'platform.cors.urls',
    pattern: { matches: /^(\*|[a-z][a-z0-9+.-]*:\/\/[^\s/]+)$/i, expected: '* or an origin such as https://app.example.org' },
    help: 'Origins that browsers may call from; none turns CORS off',
  },
  corsAllowSubdomains: {
    type: 'boolean',
    default: true,
    property: 'platform.cors.allowSubdomains',
    help: 'Allow subdomains of these origins too',
  },
  corsSupportedMethods: {
    type: 'list',
    default: ['GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE', 'PUT'],
    property: 'platform.cors.supportedMethods',
    pattern: { matches: /^[A-Z]+$/, expected: 'a method such as GET' },
    help: 'Methods allowed from these origins',
  },
  corsPattern: {
    type: 'string',
    default: '/.*',
    property: 'platform.cors.pattern',
    pattern: { matches: { test: isRegularExpression }, expected: 'a regular expression' },
    help: 'Regular expression of the paths that CORS applies to',
  },
  corsExposedHeaders: {
    type: 'list',
    default: [],
    property: 'platform.cors.exposedHeaders',
    help: 'Answer headers that scripts of these origins may read',
  },
  corsMaxAge: {
    type: 'integer',
    default: -1,
    min: -1,
    property: 'platform.cors.maxAge',
    help: 'Seconds a browser may keep a preflight answer; -1 leaves it to the browser',
  },
  corsAllowNullOrigin: {
    type: 'boolean',
    default: false,
    property: 'platform.cors.allowNullOrigin',
    help: "Treat the origin 'null' as none instead of refusing it",
  },
  frameOptions: {
    type: 'string',
    default: 'SAMEORIGIN',
    property: 'platform.frame.options',
    help: 'Header X-Frame-Options',
  },
  referrerPolicy: {
    type: 'string',
    default: 'strict-origin-when-cross-origin',
    property: 'platform.referrer.policy',
    help: 'Header Referrer-Policy',
  },
  transactionTimeout: {
    type: 'duration',
    default: '300s',
    bareUnit: 's',
    min: '1s',
    property: 'platform.db.transactiontimeout',
    help: 'Longest time a request may hold its transaction',
  },
  idempotencyTtl: {
    type: 'duration',
    default: '1d',
    bareUnit: 's',
    property: 'org.platform.request.idempotency.ttl.duration',
    help: 'Time the answer to a request with an Idempotency-Key is kept',
  },
  stopTimeout: {
    type: 'duration',
    default: '30s',
    bareUnit: 's',
    help: 'Time a stopping server waits for the requests in flight',
  },
  requestLog: {
    type: 'string',
    help: 'File that is given a line for each answer, in the combined form of web servers; - is standard output',
  },
})

/** Whether the server speaks TLS itself, and what it shows for it. */
export const encryptionSettings = defineSettings({
  httpsPort: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 65535,
    property: 'platform.server.https.port',
    help: 'Port to listen on for https; 0: none',
  },
  httpsCertificate: {
    type: 'string',
    pattern: { matches: /./, expected: 'a file' },
    help: 'File, in PEM, with the certificate for https and those between it and its authority; a file that is renewed is taken up within half a minute',
  },
  httpsKey: {
    type: 'string',
    pattern: { matches: /./, expected: 'a file' },
    help: 'File, in PEM, with the key of the certificate; that of the certificate when absent',
  },
  httpsKeyPassphrase: { type: 'secret', help: 'What the key is encrypted with, if it is' },
  httpsMinVersion: { type: 'choice', choices: ['1.2', '1.3'], default: '1.2', help: 'Oldest version of TLS that is spoken' },
  plainHttp: {
    type: 'choice',
    choices: ['serve', 'redirect', 'off'],
    default: 'serve',
    help: 'What the port without TLS does where there is one for https: serve, send on to https, or not be there',
  },
  hstsEnabled: {
    type: 'boolean',
    default: true,
    property: 'platform.server.hsts.enabled',
    help: 'Tell browsers over https not to use anything else for this host (Strict-Transport-Security)',
  },
  hstsMaxAge: {
    type: 'integer',
    default: 2_592_000,
    min: 0,
    max: 315_360_000,
    property: 'platform.server.hsts.maxage',
    help: 'Seconds for which browsers remember that; 0 has them forget it',
  },
  hstsIncludeSubdomains: {
    type: 'boolean',
    default: false,
    property: 'platform.server.hsts.includesubdomains',
    help: 'The same for all hosts below this one, whoever serves them',
  },
  hstsPreload: {
    type: 'boolean',
    default: false,
    property: 'platform.server.hsts.preload',
    help: 'Agree to be in the list that browsers are delivered with',
  },
})

/** What connections may take, so that no other client has to wait for them. */
export const connectionSettings = defineSettings({
  maxConnections: {
    type: 'integer',
    default: 10_000,
    min: 1,
    help: 'Most connections of a process; when all are taken, the one that was waited for the longest makes way',
  },
  maxConnectionsPerAddress: {
    type: 'integer',
    default: 1_000,
    min: 1,
    help: 'Most connections from one address, or one network of IPv6, that is not a trusted proxy',
  },
  addressRateLimit: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 1_000_000,
    help: 'Most requests a second from one address, on average over ten seconds, to all processes on one database; 0: as many as it likes',
  },
  userRateLimit: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 1_000_000,
    help: 'Most requests a second of one user, on average over ten seconds, to all processes on one database; 0: as many as they like',
  },
  rateLimitExchange: {
    type: 'duration',
    default: '1s',
    max: '1m',
    help: 'How often the processes on one database tell each other whom they have answered, for these limits; 0: never, each has limits of its own',
  },
  connectionFirstByteTimeout: {
    type: 'duration',
    default: '30s',
    bareUnit: 's',
    min: '100ms',
    help: 'Time after which a connection on which nothing was sent is closed',
  },
  connectionHeadersTimeout: {
    type: 'duration',
    default: '60s',
    bareUnit: 's',
    min: '100ms',
    help: 'Time within which the head of a request has to be there',
  },
  connectionIdleTimeout: {
    type: 'duration',
    default: '20s',
    bareUnit: 's',
    min: '1s',
    help: 'Time after which an idle connection is closed',
  },
  connectionUploadTimeout: {
    type: 'duration',
    default: '60s',
    bareUnit: 's',
    min: '1s',
    property: 'platform.server.http.connectionUploadTimeout',
    help: 'Time after which a client that stopped sending its body is disconnected',
  },
  connectionMinRate: {
    type: 'bytes',
    default: '100',
    help: 'Least that a client sends of its body or reads of its answer in a second, on average over the time of the upload timeout',
  },
  connectionMoves: {
    type: 'boolean',
    default: true,
    help: 'Have connections that write served by the one process which writes, where a server has several on an embedded database',
  },
})

export type HttpValues = SettingValues<typeof httpSettings> &
  SettingValues<typeof connectionSettings> &
  SettingValues<typeof encryptionSettings>
