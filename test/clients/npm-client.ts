import type { Readable } from 'node:stream'
// @ts-expect-error: the package declares no types; those below are the part of it that the tests use
import Nuxeo from 'nuxeo'

/** The published client of the original server, as its users write it. */
export interface Client extends Shaped<Client> {
  readonly connected: boolean
  readonly nuxeoVersion: string
  readonly serverVersion: { gte(version: string): boolean; lt(version: string): boolean }
  readonly user: {
    readonly id: string
    readonly properties: Readonly<Record<string, unknown>>
    readonly isAdministrator: boolean
    readonly contextParameters?: Readonly<Record<string, Received>>
  }
  connect(): Promise<Client>
  request(path: string): ClientRequest
  repository(name?: string): ClientRepository
  users(): ClientUsers
  groups(): ClientGroups
  directory(name: string): ClientDirectory
  batchUpload(options?: { readonly concurrency?: number }): ClientBatch
  operation(id: string): ClientOperation
  requestAuthenticationToken(application: string, deviceId: string, description: string, permission: string): Promise<string>
  /** The address with the credentials in it. */
  authenticateURL(url: string): string
}

/** A command: what it is told and works on, and then what it gives, as the class that the client makes of it. */
interface ClientOperation extends Shaped<ClientOperation> {
  param(name: string, value: unknown): ClientOperation
  params(values: object): ClientOperation
  context(variables: object): ClientOperation
  input(input: unknown): ClientOperation
  execute(options?: object): Promise<Received>
}

/** What every object of the client lets one say about the answers it wants. */
interface Shaped<Self> {
  repositoryName(name: string): Self
  schemas(names: readonly string[]): Self
  enricher(entity: string, name: string): Self
  enrichers(names: Readonly<Record<string, readonly string[]>>): Self
  fetchProperty(entity: string, name: string): Self
  fetchProperties(names: Readonly<Record<string, readonly string[]>>): Self
  translateProperty(entity: string, name: string): Self
  translateProperties(names: Readonly<Record<string, readonly string[]>>): Self
  depth(depth: string): Self
  header(name: string, value: string): Self
  transactionTimeout(seconds: number): Self
}

export interface ClientRepository extends Shaped<ClientRepository> {
  fetch(reference: string, options?: object): Promise<ClientDocument>
  create(parent: string, document: NewDocument, options?: object): Promise<ClientDocument>
  update(document: { readonly uid: string; readonly properties: object }, options?: object): Promise<ClientDocument>
  delete(reference: string): Promise<Response>
  query(options: QueryOptions): Promise<ClientDocuments>
}

/** Either a query or the name of a page provider; any other name is that of a parameter. */
interface QueryOptions {
  readonly query?: string
  readonly pageProvider?: string
  readonly queryParams?: readonly string[]
  readonly pageSize?: number
  readonly currentPageIndex?: number
  readonly maxResults?: number
  readonly sortBy?: string
  readonly sortOrder?: string
  readonly [parameter: string]: unknown
}

/** A page of documents, with whatever else the server says about it. */
export interface ClientDocuments {
  readonly entries: readonly ClientDocument[]
  readonly resultsCount: number
  readonly pageSize: number
  readonly currentPageSize: number
  readonly currentPageIndex: number
  readonly numberOfPages: number
  readonly isNextPageAvailable: boolean
  readonly isPreviousPageAvailable: boolean
  readonly isLastPageAvailable: boolean
  readonly hasError: boolean
  readonly aggregations?: Readonly<Record<string, Received>>
}

interface NewDocument {
  readonly type: string
  readonly name: string
  readonly properties?: object
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the server sent, and a wrong guess fails the test
type Received = any

export interface ClientRequest extends Shaped<ClientRequest> {
  path(segment: string): ClientRequest
  queryParams(parameters: Readonly<Record<string, string | number>>): ClientRequest
  get(options?: object): Promise<Received>
  post(options?: object): Promise<Received>
  put(options?: object): Promise<Received>
  delete(options?: object): Promise<Received>
}

interface ClientUsers extends Shaped<ClientUsers> {
  fetch(name: string): Promise<ClientUser>
  create(user: { readonly properties: object }): Promise<ClientUser>
  update(user: { readonly id: string; readonly properties: object }): Promise<ClientUser>
  delete(name: string): Promise<Response>
}

export interface ClientUser {
  readonly id: string
  readonly properties: Readonly<Record<string, Received>>
  readonly extendedGroups: readonly { readonly name: string; readonly label: string; readonly url: string }[]
  readonly isAdministrator: boolean
  readonly isAnonymous: boolean
  readonly contextParameters?: Readonly<Record<string, Received>>
  set(properties: object): ClientUser
  get(name: string): Received
  save(): Promise<ClientUser>
}

interface ClientGroups extends Shaped<ClientGroups> {
  fetch(name: string): Promise<ClientGroup>
  create(group: GroupFields): Promise<ClientGroup>
  update(group: GroupFields): Promise<ClientGroup>
  delete(name: string): Promise<Response>
}

interface GroupFields {
  groupname: string
  grouplabel?: string
  memberUsers?: readonly string[]
  memberGroups?: readonly string[]
}

export interface ClientGroup extends GroupFields {
  readonly id: string
  readonly properties: Readonly<Record<string, Received>>
  save(): Promise<ClientGroup>
}

interface ClientDirectory extends Shaped<ClientDirectory> {
  fetchAll(options?: object): Promise<{ readonly entries: readonly ClientEntry[] }>
  fetch(id: string): Promise<ClientEntry>
  create(entry: { readonly properties: object }): Promise<ClientEntry>
  update(entry: { readonly id: string; readonly properties: object }): Promise<ClientEntry>
  delete(id: string): Promise<Response>
}

export interface ClientEntry {
  readonly id: string
  readonly directoryName: string
  readonly properties: Readonly<Record<string, Received>>
  set(properties: object): ClientEntry
  get(name: string): Received
  save(): Promise<ClientEntry>
}

/** A file as a user of the client hands it over. A stream or bytes tell no size, so it is told beside them. */
interface NewBlob {
  readonly content: Readable | Uint8Array | string
  readonly name: string
  readonly mimeType?: string
  readonly size?: number
}

/** A file in a batch, as it is set on a property. */
export interface ClientBatchBlob {
  readonly 'upload-batch': string
  readonly 'upload-fileId': string
  readonly [told: string]: Received
}

export interface ClientBatch {
  upload(...blobs: readonly NewBlob[]): Promise<Received>
  done(): Promise<{ readonly blobs: readonly ClientBatchBlob[] }>
  isFinished(): boolean
  cancel(): Promise<ClientBatch>
  fetchBlob(index: number): Promise<{ readonly blob: ClientBatchBlob }>
  fetchBlobs(): Promise<{ readonly blobs: readonly ClientBatchBlob[] }>
  removeBlob(index: number): Promise<Response>
}

/** The answer as the client's own version of `fetch` gives it: its body is a stream of Node. */
export interface ClientDownload {
  readonly status: number
  readonly headers: Headers
  readonly body: Readable
}

type ClientConversion = { readonly format: string } | { readonly type: string } | { readonly converter: string }

export interface ClientDocument {
  readonly uid: string
  readonly path: string
  readonly type: string
  readonly title: string
  readonly repository: string
  readonly parentRef: string
  readonly isVersion: boolean
  readonly versionableId?: string
  readonly versionLabel?: string
  readonly changeToken: string
  readonly properties: Readonly<Record<string, Received>>
  readonly contextParameters: Readonly<Record<string, Received>>
  set(properties: object): ClientDocument
  get(name: string): Received
  save(options?: object): Promise<ClientDocument>
  isFolder(): boolean
  hasFacet(facet: string): boolean
  isCollection(): boolean
  isCollectable(): boolean
  hasPermission(name: string): Promise<boolean>
  fetchBlob(xpath?: string, options?: object): Promise<ClientDownload>
  fetchRendition(name: string, options?: object): Promise<ClientDownload>
  fetchRenditions(
    options?: object,
  ): Promise<readonly { readonly name: string; readonly kind: string | null; readonly url: string }[]>
  convert(wanted: ClientConversion): Promise<ClientDownload>
  scheduleConversion(wanted: ClientConversion): Promise<{
    readonly conversionId: string
    readonly pollingURL: string
    readonly resultURL: string
  }>
  fetchACLs(): Promise<readonly { readonly name: string; readonly aces: readonly { readonly id: string }[] }[]>
  move(target: string, name?: string | null): Promise<ClientDocument>
  followTransition(name: string): Promise<ClientDocument>
  lock(): Promise<ClientDocument>
  unlock(): Promise<ClientDocument>
  addPermission(params: object): Promise<ClientDocument>
  removePermission(params: object): Promise<ClientDocument>
  fetchLockStatus(): Promise<{ readonly lockOwner?: string; readonly lockCreated?: string }>
}

/** A client of the server at this address that logs in as the user. */
export function createClient(baseURL: string, username: string, password = username): Client {
  return new Nuxeo({ baseURL, auth: { method: 'basic', username, password } })
}

/** A client that signs in by one of the ways that it has by a name. */
export function createClientWith(baseURL: string, auth: { readonly method: string; readonly [part: string]: string }): Client {
  return new Nuxeo({ baseURL, auth })
}

/** What the token endpoint gives. */
export interface ClientToken {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: string
  readonly expires_in: number
}

/** A client that acts with a token; a whole one it refreshes by itself, and tells of it. */
export interface BearerClient extends Client {
  readonly _auth: { readonly token: ClientToken }
  onAuthenticationRefreshed(callback: (refreshed: { readonly token: ClientToken }) => void): void
}

export function createBearerClient(baseURL: string, clientId: string, token: ClientToken | string): BearerClient {
  return new Nuxeo({ baseURL, auth: { method: 'bearerToken', clientId, token } })
}

interface OAuth2Options {
  readonly baseURL: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly params?: Readonly<Record<string, string>>
}

/** The helpers of the client, which are the same for all servers. */
export const clientOAuth2: {
  getAuthorizationURL(options: OAuth2Options): string
  fetchAccessTokenFromAuthorizationCode(options: OAuth2Options & { readonly code: string }): Promise<ClientToken>
  fetchAccessTokenFromJWTToken(options: OAuth2Options & { readonly jwtToken: string }): Promise<ClientToken>
  refreshAccessToken(options: OAuth2Options & { readonly refreshToken: string }): Promise<ClientToken>
} = Nuxeo.oauth2

/** A file for `batchUpload().upload()`. */
export function createBlob(blob: NewBlob): NewBlob {
  return new Nuxeo.Blob(blob)
}

/** Whether something the client gave back is one of its documents rather than plain JSON. */
export function isClientDocument(received: unknown): received is ClientDocument {
  return received instanceof Nuxeo.Document
}

/** The same for people and vocabularies: the classes that the client makes of these. */
export function isClientUser(received: unknown): received is ClientUser {
  return received instanceof Nuxeo.User
}

export function isClientGroup(received: unknown): received is ClientGroup {
  return received instanceof Nuxeo.Group
}

export function isClientEntry(received: unknown): received is ClientEntry {
  return received instanceof Nuxeo.DirectoryEntry
}

/** The status and the JSON with which the server refused. Fails when it did not. */
export async function refusalOf(attempt: Promise<unknown>): Promise<{ readonly status: number; readonly body: Received }> {
  const response = await refusing(attempt)
  return { status: response.status, body: await response.json() }
}

/** The status alone, where a refusal has no body. Fails when the server did not refuse. */
export async function refusedStatus(attempt: Promise<unknown>): Promise<number> {
  return (await refusing(attempt)).status
}

async function refusing(attempt: Promise<unknown>): Promise<Response> {
  const outcome = await attempt.then(
    () => undefined,
    (error: { readonly response?: Response }) => error,
  )
  if (outcome?.response === undefined) throw new Error('The server did not refuse', { cause: outcome })
  return outcome.response
}
