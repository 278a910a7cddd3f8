import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { type Log, silentLog } from './base/log.ts'
import { settingGroups } from './builtin-settings.ts'
import { accessTo, systemAccess } from './core/access.ts'
import { groupMembers, userDirectory } from './core/directories/people.ts'
import { readDirectory } from './core/directories/read-directory.ts'
import { storedEntry } from './core/directories/stored-entry.ts'
import type { WriteSession } from './core/session.ts'
import type { Principal } from './model/rights/principal.ts'
import type { Plugin } from './plugin/define-plugin.ts'
import { settingsOf } from './plugin/plugin-settings.ts'
import type { Services } from './rest/services.ts'
import { startServer } from './server.ts'
import { readCommandLine } from './settings/read-settings.ts'

export interface TestServerOptions {
  readonly plugins?: readonly Plugin[]
  /** By name, as in `quire.config.ts`. */
  readonly settings?: { readonly [name: string]: unknown }
  readonly log?: Log
}

/** A whole server on a free port with data of its own, for as long as a test needs it. */
export interface TestServer {
  /** Ends with a slash. */
  readonly url: string
  /** Where the management API has a port of its own. */
  readonly managementUrl?: string
  readonly services: Services
  /** Calls the API as the user, whose password is its name; `path` is below `/api/v1`. */
  as(user: string): ApiCaller
  /** Adds a user whose password is its name. */
  addUser(name: string, groups?: readonly string[]): Promise<void>
  /** Does as the server itself what no client could, in one transaction of the repository. */
  asSystem<Result>(body: (session: WriteSession) => Promise<Result>, repository?: string): Promise<Result>
  /** Does as the user what a session offers and no REST method does, in one transaction of the repository. */
  inSession<Result>(user: string, body: (session: WriteSession) => Promise<Result>, repository?: string): Promise<Result>
  stop(): Promise<void>
}

/** JSON of any shape, to look into freely: a wrong guess fails the test, not the compiler. */
export type AnswerBody = ReturnType<typeof JSON.parse>

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The text as JSON; undefined when it is none. */
  readonly body: AnswerBody
}

export interface ApiCaller {
  get(path: string, headers?: CallHeaders): Promise<ApiAnswer>
  post(path: string, body?: unknown, headers?: CallHeaders): Promise<ApiAnswer>
  put(path: string, body?: unknown, headers?: CallHeaders): Promise<ApiAnswer>
  delete(path: string, headers?: CallHeaders): Promise<ApiAnswer>
  /** Any method, any path below the server's own address, the body as it is. */
  call(method: string, url: string, options?: { headers?: CallHeaders; body?: string | Uint8Array }): Promise<ApiAnswer>
}

type CallHeaders = { readonly [name: string]: string }

// What nobody waits for is not done beside a test, unless it asks for that.
const quietSettings = {
  port: 0,
  blobGcHour: -1,
  passwordUpgrade: false,
  conversionInBackground: false,
  conversionPriority: 0,
  workflowEscalationInterval: '1d',
  workflowCleanupDisabled: true,
}

/**
 * Starts a server for a test of a plugin.
 * @example
 * const server = await startTestServer({ plugins: [invoices] })
 * const { body } = await server.as('Administrator').get('/path/default-domain')
 * await server.stop()
 */
export async function startTestServer({
  plugins = [],
  settings = {},
  log = silentLog,
}: TestServerOptions = {}): Promise<TestServer> {
  const folder = settings['data'] === undefined ? await mkdtemp(join(tmpdir(), 'quire-test-')) : undefined
  const { settings: values, origins } = readCommandLine(
    settingGroups,
    {},
    {
      others: settingsOf(plugins),
      config: {
        settings: { ...quietSettings, ...(folder !== undefined && { data: folder }), ...settings },
      },
    },
  )
  const { url, managementUrl, services, stop } = await startServer({ settings: values, origins, plugins, log })
  return {
    url,
    ...(managementUrl !== undefined && { managementUrl }),
    services,
    as: (user) => createCaller(url, user),
    addUser: (name, groups = []) => addUser(services, name, groups),
    asSystem: (body, repository = 'default') => systemAccess(readRepository(services, repository)).write(body),
    inSession: async (user, body, repository = 'default') =>
      accessTo(readRepository(services, repository), await readPrincipal(services, user)).write(body),
    async stop() {
      await stop()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

function readRepository({ repositories }: Services, name: string) {
  const repository = repositories.get(name)
  if (repository === undefined) throw new Error(`There is no repository ${name}.`)
  return repository
}

async function readPrincipal({ principals }: Services, user: string): Promise<Principal> {
  const principal = await principals.find(user)
  if (principal === undefined) throw new Error(`There is no user ${user}.`)
  return principal
}

async function addUser(services: Services, username: string, groups: readonly string[]): Promise<void> {
  const values = { username, password: saltedDigest(username) }
  const definition = readDirectory({ repository: readRepository(services, 'default') }, userDirectory)
  await services.directories.store.transact(async (tx) => {
    await tx.directories.insert(userDirectory, storedEntry(definition, { id: username, values }))
    for (const group of groups) await tx.directories.addTarget(groupMembers, group, username)
  })
}

/** A password as accounts that came from elsewhere have it: our own hash is made to take long, at each first log-in to a server too. */
function saltedDigest(password: string): string {
  const salt = randomBytes(8)
  const digest = createHash('sha512').update(password).update(salt).digest()
  return `{SSHA512}${Buffer.concat([digest, salt]).toString('base64')}`
}

function createCaller(url: string, user: string): ApiCaller {
  const authorization = `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`
  const call: ApiCaller['call'] = async (method, path, { headers, body } = {}) => {
    const response = await send(new URL(path, url), method, { ...callerHeaders, authorization, ...lowerCased(headers) }, body)
    const text = await textOf(response)
    return { status: response.statusCode ?? 0, headers: headersOf(response), text, body: parseBody(text) }
  }
  const sendJson = (method: string, path: string, body: unknown, headers: CallHeaders = {}) =>
    call(method, `api/v1${path}`, {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return {
    call,
    get: (path, headers = {}) => call('GET', `api/v1${path}`, { headers }),
    delete: (path, headers = {}) => call('DELETE', `api/v1${path}`, { headers }),
    post: (path, body, headers) => sendJson('POST', path, body, headers),
    put: (path, body, headers) => sendJson('PUT', path, body, headers),
  }
}

/** As `fetch` says them, which took a third of the processor time that a request takes, with the server's own. */
const callerHeaders = { accept: '*/*', 'accept-language': '*', 'user-agent': 'node' }
const agent = new Agent({ keepAlive: true })

function send(
  { hostname, port, pathname, search }: URL,
  method: string,
  headers: CallHeaders,
  body: string | Uint8Array | undefined,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = request({ agent, method, host: hostname.replaceAll(/[[\]]/g, ''), port, path: `${pathname}${search}`, headers })
  sent.once('response', resolve)
  // One that comes after the answer is about what the server did not want to read.
  sent.on('error', reject)
  if (typeof body === 'string' && headers['content-type'] === undefined)
    sent.setHeader('content-type', 'text/plain;charset=UTF-8')
  // Node.js writes a text together with the headers, whose bytes would then be those of UTF-8.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (bytes !== undefined) sent.setHeader('content-length', bytes.length)
  sent.end(bytes)
  return promise
}

const lowerCased = (headers: CallHeaders = {}): CallHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

async function textOf(response: IncomingMessage): Promise<string> {
  const bytes = await buffer(response)
  return new TextDecoder().decode(response.headers['content-encoding'] === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes)
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  return headers
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
