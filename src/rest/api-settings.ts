import { isRegularExpression } from '../base/regular-expression.ts'
import type { VendorIdentifiers } from '../base/vendor.ts'
import type { SettingsOf } from '../settings/define-settings.ts'
import { defineSettings, type SettingValues } from '../settings/define-settings.ts'
import type { limitSettings } from '../settings/limit-settings.ts'
import type { ServerFacts } from './services.ts'

/**
 * How the HTTP and REST floors answer. Each is also known by the property name that clients' documentation uses
 * (contract: security 13, documents 16), written here in its neutral form.
 */
export const apiSettings = defineSettings({
  devMode: {
    type: 'boolean',
    default: false,
    property: 'org.platform.dev',
    help: 'Development: null origins allowed, and properties that would be ignored are refused',
  },
  restStackEnable: {
    type: 'boolean',
    default: false,
    property: 'org.platform.rest.stack.enable',
    help: 'Write stack traces into error answers',
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

  authChain: {
    type: 'list',
    default: ['BASIC_AUTH', 'TOKEN_AUTH', 'OAUTH2_AUTH', 'JWT_AUTH', 'FORM_AUTH', 'ANONYMOUS_AUTH'],
    property: 'auth.chain',
    help: 'Authenticators in the order they are asked',
  },
  authChainAutomation: {
    type: 'list',
    default: ['AUTOMATION_BASIC_AUTH', 'TOKEN_AUTH', 'OAUTH2_AUTH', 'JWT_AUTH'],
    property: 'auth.chain.automation',
    help: 'The same for operations',
  },
  authChainRestapi: {
    type: 'list',
    default: ['AUTOMATION_BASIC_AUTH', 'TOKEN_AUTH', 'OAUTH2_AUTH', 'JWT_AUTH'],
    property: 'auth.chain.restapi',
    help: 'The same for the REST API',
  },
  sessionTimeout: {
    type: 'duration',
    default: '60m',
    bareUnit: 'm',
    min: '1s',
    property: 'session.timeout',
    help: 'Time after which an idle browser session ends',
  },
  sessionSameSite: {
    type: 'choice',
    choices: ['', 'Lax', 'Strict', 'None'],
    default: '',
    property: 'platform.server.cookies.sameSite',
    help: 'Attribute SameSite of the session cookie; empty leaves it out',
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
  stopTimeout: {
    type: 'duration',
    default: '30s',
    bareUnit: 's',
    help: 'Time a stopping server waits for the requests in flight',
  },

  documentJsonFetchHeavy: {
    type: 'boolean',
    default: false,
    property: 'platform.document.json.fetch.heavy',
    help: 'Always write versionLabel and lock of a document',
  },
  documentJsonLegacy: {
    type: 'boolean',
    default: false,
    property: 'platform.document.json.legacy',
    help: 'Store an empty text as null',
  },
  pageProviderDefaultMaxPageSize: {
    type: 'integer',
    default: 1000,
    min: 1,
    property: 'platform.pageprovider.default-max-page-size',
    help: 'Largest page a client may ask for',
  },

  distributionVersion: {
    type: 'string',
    default: '10.10',
    property: 'org.platform.distribution.version',
    help: 'Version in the capabilities: the one of the API that is spoken',
  },
})

export type ApiSettings = SettingValues<typeof apiSettings>

type ServerValues = SettingsOf<readonly [typeof apiSettings, typeof limitSettings]>

export function factsOf(settings: ServerValues, vendored: VendorIdentifiers): ServerFacts {
  return {
    vendored,
    apiVersion: settings.distributionVersion,
    devMode: settings.devMode,
    fetchHeavy: settings.documentJsonFetchHeavy,
    legacyJson: settings.documentJsonLegacy,
    answerLimits: { maxEntities: settings.answerMaxEntities, maxBytes: settings.answerMaxSize },
  }
}
