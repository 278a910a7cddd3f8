import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { Readable } from 'node:stream'
import type { Json } from '../../src/base/json.ts'
import type { Log, LogFields } from '../../src/base/log.ts'
import { Metrics } from '../../src/base/metrics.ts'
import { defineProblem } from '../../src/base/problem.ts'
import { offTracer } from '../../src/base/tracing.ts'
import { vendorIdentifiers } from '../../src/base/vendor.ts'
import { settingGroups } from '../../src/builtin-settings.ts'
import type { Repository } from '../../src/core/session.ts'
import { createBasicAuthenticators } from '../../src/features/sign-in/basic-authenticator.ts'
import { createLonelyThrottle } from '../../src/features/sign-in/passwords/lonely-throttle.ts'
import { createPasswordCheck } from '../../src/features/sign-in/passwords/password-check.ts'
import { createHttpServer, type HttpServer } from '../../src/http/http-server.ts'
import { type HttpSettings, httpSettingsOf } from '../../src/http/http-settings.ts'
import type { HttpOptions } from '../../src/http/pipeline.ts'
import { createPrincipal, type Principal } from '../../src/model/rights/principal.ts'
import { type Answer, entity, json, noContent } from '../../src/rest/answer.ts'
import { emptyAnswer } from '../../src/rest/openapi/answers.ts'
import { Type } from '../../src/rest/openapi/schema.ts'
import { createRegistry, createRendering } from '../../src/rest/registry.ts'
import type { ResourceRoot } from '../../src/rest/resource.ts'
import { defineRoute, type Method, type Route } from '../../src/rest/route.ts'
import type { Services } from '../../src/rest/services.ts'
import { readSettings } from '../../src/settings/read-settings.ts'
import { databaseUnreachable } from '../../src/store/problems.ts'
import type { Store } from '../../src/store/store.ts'

/** A server with the real HTTP floor over repositories that hold nothing and users that all have the password `secret`. */
export interface TinyServer {
  readonly port: number
  /** 0 where it speaks no TLS. */
  readonly encryptedPort: number
  readonly logged: readonly (LogFields & { readonly level: string })[]
  /** As alice, unless told otherwise. */
  send(method: string, path: string, options?: SendOptions): Promise<Received>
  readonly http: HttpServer
}

export interface SendOptions {
  readonly user?: string | null
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
}

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The text as JSON; undefined when it is none. */
  readonly json: { readonly [field: string]: unknown } | undefined
}

export interface TinyServerOptions {
  readonly settings?: Partial<HttpSettings>
  readonly vendor?: string
  readonly routes?: readonly Route[]
  readonly store?: Store
  readonly showsStackTraces?: boolean
}

export async function startTinyServer(options: TinyServerOptions = {}): Promise<TinyServer> {
  const { basePath = '' } = options.settings ?? {}
  const declared = readSettings(settingGroups, {
    config: { settings: { basePath } },
  })
  const settings = { ...httpSettingsOf(declared), ...options.settings }
  const logged: (LogFields & { level: string })[] = []
  const keep = (level: string) => (fields: LogFields) => void logged.push({ ...fields, level })
  const log: Log = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') }
  const http = createHttpServer(tinyOptions(settings, options, log))
  const { plain, encrypted } = await http.listen({ host: '127.0.0.1', port: 0 })
  const port = plain?.port ?? 0
  return { port, encryptedPort: encrypted?.port ?? 0, logged, http, send: (method, path, sent) => send(port, method, path, sent) }
}

export function tinyOptions(settings: HttpSettings, options: TinyServerOptions, log: Log): HttpOptions {
  const store = options.store ?? createMemoryStore()
  const registry = createRegistry({
    routes: [...tinyRoutes, ...(options.routes ?? [])],
    resources: [thingRoot],
    adapters: [
      {
        name: 'upper',
        summary: 'The name in upper case',
        accepts: ['document'],
        methods: { GET: { summary: 'Reads it', answers: {}, handle: async () => json({ upper: true }) } },
      },
    ],
  })
  return {
    services: tinyServices(store, options.vendor ?? 'platform', log),
    registry,
    rendering: createRendering({ entityWriters: [], enrichers: [] }),
    settings,
    log,
    stackTraces: { showsStackTraces: options.showsStackTraces ?? false, refresh: () => undefined },
  }
}

function tinyServices(store: Store, vendor: string, log: Log): Services {
  const repository = (name: string) =>
    ({ name, store, serverListeners: [], fileWatchers: [], now: () => new Date().toISOString() }) as unknown as Repository
  const alice = createPrincipal('alice', [], { isAdministrator: false })
  const principals = {
    find: async () => undefined,
    renew: async (known: Principal) => known,
    hasPassword: () => false,
    isStoredOldWay: () => false,
    async authenticate(name: string, password: string) {
      if (name === 'unreachable') throw databaseUnreachable({ address: 'db:5432' })
      if (name === 'alice' && password === 'secret') return alice
      return password === 'secret' ? createPrincipal(name, [], { isAdministrator: false }) : undefined
    },
  }
  return {
    repositories: new Map(['default', 'other'].map((name) => [name, repository(name)])),
    principals,
    directories: { store },
    capabilities: [],
    metrics: new Metrics(),
    tracer: offTracer,
    authentication: {
      authenticators: createBasicAuthenticators(
        () => vendorIdentifiers(vendor),
        createPasswordCheck({ throttle: undefined, beginAlone: createLonelyThrottle(), upgrade: async () => {} }),
      ),
      chains: [{ name: 'default', replacementChain: ['AUTOMATION_BASIC_AUTH'] }],
      sessions: undefined,
      links: [],
      admissionRules: [],
    },
    bulkActions: new Map(),
    facts: { vendored: vendorIdentifiers(vendor), apiVersion: '1.2.3' },
    log,
  } as unknown as Services
}

const thingMissing = defineProblem('documentNotFound', 'notFound', (of: { id: string }) => of.id)

/** `/thing/{id}` shows how a request reached it. */
const thingRoot: ResourceRoot = {
  segment: 'thing',
  template: '/thing/{id}',
  yields: 'document',
  summary: 'A thing',
  resolve: async (_session, own, rest) => {
    throw thingMissing({ id: rest[0]?.text ?? own.matrix.map(([, value]) => value).join() })
  },
  methods: {
    GET: {
      summary: 'Shows it',
      answers: { 200: emptyAnswer('thing') },
      async handle({ exchange, resolve }) {
        if (exchange.request.rawPath.includes(';')) await exchange.read((session) => resolve(session))
        const { request, repository, principal } = exchange
        if (request.rawPath.endsWith('/none')) throw thingMissing({ id: 'none' })
        return entity('thing', {
          path: request.rawPath,
          repository: repository.name,
          user: principal.name,
          base: request.baseUrl,
        })
      },
    },
    POST: {
      summary: 'Repeats its body',
      answers: { 201: emptyAnswer('thing') },
      handle: async ({ exchange }) => entity('thing', { got: exchange.request.body ?? null }, 201),
    },
    PUT: {
      summary: 'Repeats its body',
      answers: { 200: emptyAnswer('thing') },
      handle: async ({ exchange }) => json({ got: exchange.request.body ?? null }),
    },
    DELETE: { summary: 'Does nothing', answers: { 204: 'done' }, handle: async () => ({ kind: 'empty', status: 204 }) },
  },
}

export function aRoute(method: Method, path: string, handle: Route['handle'], rest: Partial<Route> = {}): Route {
  return { method, path, under: 'api', summary: `${method} ${path}`, answers: { 200: emptyAnswer('something') }, handle, ...rest }
}

const tinyRoutes: readonly Route[] = [
  aRoute('GET', '/me', async ({ principal }) => entity('user', { id: principal.name })),
  aRoute('POST', '/login', async ({ principal }) => json({ username: principal.name })),
  defineRoute({
    ...aRoute('GET', '/token/{token}', async () => noContent()),
    query: Type.Object({ limit: Type.Optional(Type.Integer()) }),
    handle: async (_exchange, { token }, { query }) => json({ token, ...query }),
  }),
  aRoute('GET', '/large', async () => json({ text: 'x'.repeat(5000) })),
  aRoute(
    'GET',
    '/file',
    async (): Promise<Answer> => ({
      kind: 'stream',
      status: 200,
      contentType: 'image/png',
      stream: Readable.from([Buffer.from('bytes')]),
      headers: { 'Cache-Control': 'private', 'Content-Length': '5' },
    }),
  ),
  aRoute('GET', '/boom', async () => {
    throw new Error('password=secret')
  }),
  aRoute('GET', '/runningstatus', async () => json({ runtimeStatus: 'ok' }), { under: 'server', isPublic: true }),
  aRoute('GET', '/json/cmis', async ({ repository }) => json({ default: repository.name }), { under: 'server' }),
]

/** A store that only has transient values, for what the HTTP floor keeps in it. */
export function createMemoryStore(): Store {
  const values = new Map<string, { value: Json; expires: string }>()
  const find = async (key: string, now: string) => {
    const kept = values.get(key)
    return kept !== undefined && kept.expires > now ? kept.value : undefined
  }
  const transient = {
    find,
    set: async (key: string, value: Json, expires: string) => void values.set(key, { value, expires }),
    async add(key: string, value: Json, expires: string, now: string) {
      if ((await find(key, now)) !== undefined) return false
      values.set(key, { value, expires })
      return true
    },
    remove: async (key: string) => void values.delete(key),
  }
  const tx = { transient, watch() {}, afterCommit: (action: () => void) => action() }
  const transact = async (body: (transaction: typeof tx) => Promise<unknown>) => body(tx)
  return { reader: { transient }, transact, meetRequest() {} } as unknown as Store
}

export function send(port: number, method: string, path: string, options: SendOptions = {}): Promise<Received> {
  const { user = 'alice', headers = {}, body } = options
  const credentials = user === null ? {} : { authorization: basic(user) }
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', method, path, headers: { ...credentials, ...headers }, agent: false })
    outgoing.on('error', reject)
    outgoing.on('response', async (response) => {
      try {
        const text = Buffer.concat(await response.toArray()).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) })
      } catch (error) {
        reject(error)
      }
    })
    outgoing.end(body)
  })
}

export function basic(user: string, password = 'secret'): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function parsed(text: string): Received['json'] {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
