import { Diagnostics } from '../../src/automation/diagnostics.ts'
import { createRegistry } from '../../src/automation/registry.ts'
import { usualJsonBounds } from '../../src/base/json.ts'
import { silentLog } from '../../src/base/log.ts'
import { Metrics } from '../../src/base/metrics.ts'
import { offTracer } from '../../src/base/tracing.ts'
import { vendorIdentifiers } from '../../src/base/vendor.ts'
import { settingGroups } from '../../src/builtin-settings.ts'
import { openSession } from '../../src/core/access.ts'
import { createAcpCache } from '../../src/core/acp-cache.ts'
import { createDirectories } from '../../src/core/directories/directories.ts'
import { createListenerTable } from '../../src/core/event.ts'
import { createRenditions } from '../../src/core/renditions/renditions.ts'
import { createThumbnails } from '../../src/core/renditions/thumbnail-factory.ts'
import { createPageProviders } from '../../src/core/search/providers/page-providers.ts'
import { defaultSearchRules } from '../../src/core/search/search-rules.ts'
import type { References, Repository, Session } from '../../src/core/session.ts'
import type { Document } from '../../src/model/document.ts'
import { createModel, type Model } from '../../src/model/model.ts'
import type { ModelContributions } from '../../src/model/model-contributions.ts'
import { createPrincipal, type Principal } from '../../src/model/rights/principal.ts'
import { createQueryCompiler } from '../../src/nxql/query-compiler.ts'
import { createRenderContext, type RenderContext, type Rendering } from '../../src/rest/render/rendering.ts'
import type { RenderRequest } from '../../src/rest/request/render-wishes.ts'
import type { ServerFacts, Services } from '../../src/rest/services.ts'
import { valuesIn } from '../../src/settings/define-settings.ts'
import { readSettings } from '../../src/settings/read-settings.ts'
import type { DocumentReader } from '../../src/store/documents.ts'
import type { Store } from '../../src/store/store.ts'
import { usualCallLimits } from './call-limits.ts'
import { builtinContributions, builtinModel } from './model/builtin-model.ts'

export const baseUrl = 'http://localhost:8080/'
export const administrator = createPrincipal('Administrator', ['administrators'], { isAdministrator: true })
export const alice = createPrincipal('alice', ['members'], { isAdministrator: false })

/** The built-in model and what a test adds to it. */
export function aModel(added: Partial<ModelContributions> = {}): Model {
  const joined = { ...builtinContributions }
  for (const key of Object.keys(added) as (keyof ModelContributions)[]) {
    Object.assign(joined, { [key]: [...builtinContributions[key], ...(added[key] ?? [])] })
  }
  return createModel(joined)
}

interface RepositoryOptions {
  readonly model?: Model
  readonly references?: References
  readonly changeTokens?: boolean
  readonly now?: string
}

export function aRepository(store: Store, options: RepositoryOptions = {}): Repository {
  const { model = builtinModel, changeTokens = true, now = '2031-06-01T00:00:00.000Z' } = options
  const repository: Repository = {
    name: 'default',
    store,
    model,
    acps: createAcpCache(model),
    blobs: nowhere('the blob store'),
    blobInspectors: [],
    listeners: createListenerTable([]),
    serverListeners: [],
    stopping: new AbortController(),
    tracer: offTracer,
    directories: createDirectories([], store, model),
    securityPolicies: [],
    fileWatchers: [],
    references: options.references ?? { find: async () => undefined },
    rules: {
      maxSegmentLength: 24,
      valueBounds: {
        maxListItems: 1_000,
        maxPropertyCharacters: 10_000,
        maxDocumentCharacters: 50_000,
        maxDocumentValues: 5_000,
      },
      changeTokens,
      negativeEntries: false,
      localAclFirst: false,
      unknownNames: false,
      administratorsGroups: ['administrators'],
      restrictedProxies: false,
      maxHtmlLength: 300_000,
      strictRetention: false,
      recordCleaners: 'PlatformRecordCleaners',
      maxListedBytes: 1_000_000,
      maxWaitingJobs: 500,
      orphanVersionsAtOnce: 1000,
    },
    queries: createQueryCompiler(model, defaultSearchRules.query),
    pageProviders: createPageProviders([]),
    searchRules: defaultSearchRules,
    log: silentLog,
    now: () => now,
    get home() {
      return repository
    },
  }
  return repository
}

/** Somebody looking at these documents and nothing else; what is not a look-up of documents fails. */
export function aSession(
  documents: readonly Document[] = [],
  options: RepositoryOptions & { principal?: Principal } = {},
): Session {
  return openSession(aRepository(storeOf(documents), options), options.principal ?? administrator)
}

function storeOf(documents: readonly Document[]): Store {
  const byId = new Map(documents.map((document) => [document.id, document]))
  const reader: Partial<DocumentReader> = {
    find: async (id) => byId.get(id),
    findAll: async (ids) => ids.flatMap((id) => byId.get(id) ?? []),
    findByPath: async (path) => documents.find((document) => document.path === path),
  }
  return { engine: 'sqlite', reader: { documents: reader } } as unknown as Store
}

/** Stands where something must not be used. */
function nowhere<Part extends object>(name: string): Part {
  const get = (_: Part, property: string | symbol) => {
    throw new Error(`a test has no use for ${String(property)} of ${name}`)
  }
  return new Proxy<Part>({} as Part, { get })
}

export interface RenderOptions {
  readonly headers?: RenderRequest['headers']
  readonly query?: string
  readonly form?: string
  readonly rendering?: Partial<Rendering>
  readonly facts?: Partial<ServerFacts>
  readonly services?: Partial<Services>
}

export function aRenderContext(session: Session, options: RenderOptions = {}): RenderContext {
  const { headers = {}, query = '', form } = options
  const request = { headers, query: new URLSearchParams(query), baseUrl }
  return createRenderContext(session, {
    services: aServices(session, options),
    rendering: {
      entityWriters: new Map(),
      findDocumentEnricher: () => undefined,
      findUserEnricher: () => undefined,
      ...options.rendering,
    },
    request: form === undefined ? request : { ...request, form: new URLSearchParams(form) },
  })
}

const usualValues = readSettings(settingGroups, {})

function aServices(session: Session, { facts, services }: RenderOptions): Services {
  const { repository } = session
  return {
    repositories: new Map([[repository.name, repository]]),
    consoleParts: [],
    programFolder: '.',
    metrics: new Metrics(),
    tracer: offTracer,
    principals: nowhere('the principals'),
    principalRules: {
      administratorsGroups: ['administrators'],
      reservedGroups: [],
      reservedUsers: [],
      defaultAdministrators: [],
      virtualUsers: [],
      groupComputers: [],
    },
    entityProviders: new Map(),
    directories: createDirectories([], repository.store, repository.model),
    capabilities: [],
    probes: [],
    jsonLimits: { ...usualJsonBounds, maxBytes: 1_000_000 },
    operations: createRegistry([], []),
    authentication: { authenticators: [], chains: [], sessions: undefined, links: [], admissionRules: [] },
    automation: {
      trimsPropertyValues: false,
      joinsPropertyLines: true,
      ownFolders: [],
      httpMillis: 1_000,
      limits: usualCallLimits,
    },
    vendored: plainFacts.vendored,
    diagnostics: new Diagnostics({ showsStackTraces: false, store: repository.store, now: repository.now, log: silentLog }),
    importers: [],
    businessObjects: new Map(),
    uiActions: [],
    workflows: new Map(),
    bulkActions: new Map(),
    renditions: createRenditions({ renditions: [], renditionProviders: [] }),
    thumbnails: createThumbnails([]),
    downloads: { rules: [], sendsToStore: false, showsStoreAddresses: false, sandboxesActiveContent: true },
    uploads: nowhere('the uploads'),
    conversions: nowhere('the conversions'),
    metadataMappings: [],
    fileTexts: { extractors: [], sizeLimit: 0, workers: 1 },
    facts: { ...plainFacts, ...facts },
    valuesOf: valuesIn(usualValues),
    reportSettings: () => [],
    log: silentLog,
    ...services,
  }
}

const plainFacts: ServerFacts = {
  vendored: vendorIdentifiers('platform'),
  apiVersion: '0.0.0',
  answerLimits: { maxEntities: 1_000, maxBytes: 1_000_000 },
  fetchHeavy: false,
  legacyJson: false,
  managementUser: undefined,
  devMode: false,
}
