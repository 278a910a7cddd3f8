import { type IsoDate, isoDate } from '../base/iso-date.ts'
import type { Log } from '../base/log.ts'
import { offTracer, type Tracer } from '../base/tracing.ts'
import type { Document } from '../model/document.ts'
import type { Model } from '../model/model.ts'
import { createQueryCompiler } from '../nxql/query-compiler.ts'
import type { BlobStore } from '../store/blobs/blob-store.ts'
import type { Store } from '../store/store.ts'
import { createAcpCache } from './acp-cache.ts'
import type { BlobInspector } from './blobs/blob-inspector.ts'
import type { Directories } from './directories/directories.ts'
import { createListenerTable } from './event.ts'
import { applyTemplate, type ContentTemplate } from './initial-content.ts'
import type { Principals } from './principals/principals.ts'
import { createReferences } from './references.ts'
import type { PageProvider } from './search/providers/page-provider.ts'
import { createPageProviders } from './search/providers/page-providers.ts'
import { defaultSearchRules, type SearchRules } from './search/search-rules.ts'
import type {
  ContentRules,
  FileWatcher,
  InlineListener,
  Listener,
  Repository,
  SearchIndex,
  SecurityPolicy,
  ServerListener,
  WriteSession,
} from './session.ts'

interface RepositoryParts {
  readonly name: string
  readonly store: Store
  readonly model: Model
  readonly blobs: BlobStore
  readonly blobInspectors?: readonly BlobInspector[]
  readonly directories: Directories
  /** Where directories live, unless that is here. */
  readonly home?: Repository
  /** Who the names in properties may stand for. */
  readonly principals: Pick<Principals, 'find' | 'labelGroups'>
  readonly listeners: readonly Listener[]
  readonly serverListeners?: readonly ServerListener[]
  readonly initialContent: readonly ContentTemplate[]
  readonly securityPolicies: readonly SecurityPolicy[]
  readonly fileWatchers?: readonly FileWatcher[]
  readonly rules: ContentRules
  readonly pageProviders?: readonly PageProvider[]
  readonly searchRules?: SearchRules
  readonly searchIndex?: SearchIndex | undefined
  readonly log: Log
  readonly tracer?: Tracer
  /** Another clock than the machine's, for tests. */
  readonly now?: () => Date
}

export function createRepository(parts: RepositoryParts): Repository {
  const { name, store, model, blobs, rules, log, pageProviders = [], searchRules = defaultSearchRules } = parts
  const now = parts.now ?? (() => new Date())
  const repository: Repository = {
    name,
    store,
    model,
    blobs,
    blobInspectors: parts.blobInspectors ?? [],
    directories: parts.directories,
    serverListeners: parts.serverListeners ?? [],
    rules,
    log,
    tracer: parts.tracer ?? offTracer,
    queries: createQueryCompiler(model, searchRules.query),
    pageProviders: createPageProviders(pageProviders),
    searchRules,
    ...(parts.searchIndex && { searchIndex: parts.searchIndex }),
    acps: createAcpCache(model),
    listeners: createListenerTable([...parts.listeners, templateListener(parts.initialContent)]),
    securityPolicies: [...parts.securityPolicies].sort((left, right) => left.order - right.order),
    fileWatchers: parts.fileWatchers ?? [],
    references: createReferences(parts.directories.store.reader.directories, parts.principals),
    stopping: new AbortController(),
    now: cachedForItsMillisecond(now),
    get home() {
      return parts.home ?? repository
    },
  }
  return repository
}

/** Under load many requests fall into one millisecond; writing a date costs a microsecond. */
function cachedForItsMillisecond(now: () => Date): () => IsoDate {
  let millis = Number.NaN
  let text = ''
  return () => {
    const date = now()
    if (date.getTime() !== millis) {
      millis = date.getTime()
      text = isoDate(date)
    }
    return text
  }
}

/** Gives each new document what the templates of its type say. Versions and proxies are not new documents. */
function templateListener(templates: readonly ContentTemplate[]): InlineListener {
  return {
    name: 'contentTemplates',
    when: 'inline',
    events: ['documentCreated'],
    order: 100,
    handle({ document }, session) {
      if (document.isVersion || document.isProxy) return undefined
      const due = templates.filter(({ type }) => type === document.type)
      return due.length === 0 ? undefined : applyTemplates(session.asSystem(), document, due)
    },
  }
}

async function applyTemplates(session: WriteSession, document: Document, templates: readonly ContentTemplate[]): Promise<void> {
  for (const template of templates) await applyTemplate(session, document, template)
}
