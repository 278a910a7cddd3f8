import type { OperationServices } from '../automation/context.ts'
import type { OperationRegistry } from '../automation/registry.ts'
import type { Metrics } from '../base/metrics.ts'
import type { VendorIdentifiers } from '../base/vendor.ts'
import type { FileTextOptions } from '../core/file-texts/read-file-texts.ts'
import type { Thumbnails } from '../core/renditions/thumbnail-factory.ts'
import type { PageProvider } from '../core/search/providers/page-provider.ts'
import type { ProviderRequest } from '../core/search/providers/provider-request.ts'
import type { Session } from '../core/session.ts'
import type { ReportedSetting } from '../settings/reported-settings.ts'
import type { AuthenticationParts } from './authenticator.ts'
import type { ConsolePart } from './console/console-pieces.ts'
import type { DownloadSettings } from './download/download-rule.ts'
import type { JsonLimits } from './render/json-bytes.ts'

/** How large one answer may become, whatever it nests. */
export interface AnswerLimits {
  readonly maxEntities: number
  readonly maxBytes: number
}

/** Facts about this server that answers show. */
export interface ServerFacts {
  readonly vendored: VendorIdentifiers
  /** Of the API that is spoken, as clients know it. */
  readonly apiVersion: string
  /** What would be ignored is refused, so that authors of clients find their mistakes. */
  readonly devMode: boolean
  /** `versionLabel` and `lock` are always shown. */
  readonly fetchHeavy: boolean
  /** An empty string is stored as null, also without the header that asks for it. */
  readonly legacyJson: boolean
  /** Who may look after the server beside administrators. */
  readonly managementUser: string | undefined
  readonly answerLimits: AnswerLimits
}

// Capabilities and providers of entities are handed the services that hold them: types that name each other stand in one file.

/** What the resources share: repositories, people, contributions. */
export interface Services extends OperationServices {
  readonly operations: OperationRegistry
  readonly authentication: AuthenticationParts
  readonly capabilities: readonly Capability[]
  /** Those of plugins. */
  readonly probes: readonly HealthProbe[]
  /** By name; queries over documents are with their repository. */
  readonly entityProviders: ReadonlyMap<string, EntityProvider>
  readonly downloads: DownloadSettings
  readonly thumbnails: Thumbnails
  readonly fileTexts: FileTextOptions
  /** Most JSON that is taken in one request. */
  readonly jsonLimits: JsonLimits
  readonly facts: ServerFacts
  /** Where parts tell what they count, for whoever watches the server. */
  readonly metrics: Metrics
  /** All that the server was told, and by what, without its secrets. */
  reportSettings(): readonly ReportedSetting[]
  /** What plugins add to the console. */
  readonly consoleParts: readonly ConsolePart[]
  /** Where the program lies, with what is shipped beside it. */
  readonly programFolder: string
}

/** A named section of `GET /capabilities`. */
export interface Capability {
  readonly name: string
  describe(services: Services): { readonly [key: string]: unknown }
}

/**
 * Something that the server can do without, but that somebody has to see to where it fails: it is told with the health of the server, and
 * takes none out of service.
 */
export interface HealthProbe {
  /** `searchEngineStatus` */
  readonly name: string
  /** Fulfilled when all is well; what it throws says what is not. */
  check(services: Services): Promise<void>
}

/**
 * What goes on for as long as a server serves, without a request: once in each process of it, and not in commands that run beside it.
 * @example
 * const greetHourly: BackgroundTask = {
 *   name: 'greetHourly',
 *   async run({ log }, signal) {
 *     const timer = setInterval(() => log.info({ event: 'greeted' }, 'hello'), 3_600_000)
 *     await new Promise((resolve) => signal.addEventListener('abort', resolve))
 *     clearInterval(timer)
 *   },
 * }
 */
export interface BackgroundTask {
  readonly name: string
  /** Resolves soon after the signal, once nothing is under way. A failure is logged, and it is run again after a while. */
  run(services: Services, signal: AbortSignal): Promise<void>
}

type PagesOfProvider = Pick<PageProvider, 'sort' | 'isSortable' | 'pageSize' | 'maxPageSize' | 'pageSizeOptions' | 'properties'>

/** A page provider of the second kind: it lists what is no document, such as users, by a function instead of a query. */
export interface EntityProvider extends PagesOfProvider {
  readonly kind: 'entities'
  readonly name: string
  /** False removes the provider of this name that was defined before, of whichever kind. */
  readonly enabled?: boolean
  /** The entity type of the list: `users`. */
  readonly listType: string
  /** That of each in it: `user`. An entity writer shows the values. */
  readonly entityType: string
  /** What the caller of the session may see of the part that was asked for. A refusal that is a problem is the answer. */
  list(wanted: WantedEntities): Promise<FoundEntities>
}

/** What is asked of an entity provider. */
export interface WantedEntities {
  readonly session: Session
  readonly services: Services
  /** Parameters and order; the page is planned already. */
  readonly request: ProviderRequest
  readonly offset: number
  readonly limit: number
}

export interface FoundEntities {
  /** What the entity writer is handed, one for each entry. */
  readonly values: readonly unknown[]
  /** Of all pages; -2 when there are more than were counted, -1 when nothing was counted. */
  readonly total: number
  /** Why there is nothing to show; clients find it in the list. */
  readonly error?: string
}
