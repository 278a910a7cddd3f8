import { resolve } from 'node:path'
import { automationRulesOf } from '../automation/automation-settings.ts'
import { withConfiguredBindings } from '../automation/configured-bindings.ts'
import { Diagnostics } from '../automation/diagnostics.ts'
import { createRegistry } from '../automation/registry.ts'
import type { Log } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { offTracer, type Tracer } from '../base/tracing.ts'
import { type VendorIdentifiers, vendorIdentifiers } from '../base/vendor.ts'
import { type Settings, settingGroups } from '../builtin-settings.ts'
import { contentRulesOf } from '../core/content-settings.ts'
import { conversionRulesOf } from '../core/conversion/conversion-settings.ts'
import { createConversions } from '../core/conversion/conversions.ts'
import { createRepository } from '../core/create-repository.ts'
import { createDirectories } from '../core/directories/directories.ts'
import { awaitFileTexts, type FileTextOptions } from '../core/file-texts/read-file-texts.ts'
import { principalRulesOf } from '../core/principals/principal-settings.ts'
import { createPrincipals } from '../core/principals/principals.ts'
import { createRenditions } from '../core/renditions/renditions.ts'
import { createThumbnails } from '../core/renditions/thumbnail-factory.ts'
import { searchRulesOf } from '../core/search/search-settings.ts'
import type { Repository } from '../core/session.ts'
import { uploadRulesOf } from '../core/uploads/upload-settings.ts'
import { createUploads } from '../core/uploads/uploads.ts'
import { packageRoot } from '../package-root.ts'
import { consolePartsOf } from '../plugin/check-console.ts'
import type { Contributions } from '../plugin/define-plugin.ts'
import { nameProviders } from '../plugin/named-providers.ts'
import { settingsOf } from '../plugin/plugin-settings.ts'
import { factsOf, jsonLimitsOf } from '../rest/api-settings.ts'
import { downloadSettingsOf } from '../rest/download/download-settings.ts'
import type { Services } from '../rest/services.ts'
import { valuesIn } from '../settings/define-settings.ts'
import { reportSettings } from '../settings/reported-settings.ts'
import { parseBlobsAddress } from '../store/blobs/blobs-address.ts'
import type { Store } from '../store/store.ts'
import type { Definitions } from './definitions.ts'
import { type Data, home, homeOf } from './open-data.ts'

interface ServiceSurroundings {
  readonly log: Log
  readonly metrics: Metrics
  readonly tracer?: Tracer
  /** What gave each setting that has not its default, by name. */
  readonly origins?: ReadonlyMap<string, string> | undefined
}

/** Everything that resources and operations share, whole at once: plugins that were promised it may read it from then on. */
export function createServices(
  settings: Settings,
  { plugins, contributions, model, arrive }: Definitions,
  { stores, blobs }: Data,
  { log, metrics, tracer = offTracer, origins = new Map() }: ServiceSurroundings,
): Services {
  const vendored = vendorIdentifiers(settings.vendor)
  const callables = withConfiguredBindings(contributions, settings.automationBindings, vendored)
  const directories = createDirectories(contributions.directories, homeOf(stores), model)
  const reservedUsers = settings.managementUser === undefined ? [] : [settings.managementUser]
  const principalRules = principalRulesOf(settings, { ...contributions, reservedUsers }, vendored)
  const principals = createPrincipals(directories.store, principalRules)
  const providers = nameProviders(contributions, vendored)
  const repositories = createRepositories(stores, {
    ...repositoryPartsOf(settings, contributions, vendored),
    model,
    blobs,
    directories,
    principals,
    pageProviders: providers.queries,
    tracer,
    log,
  })
  const first = homeOf(repositories)
  const services: Services = {
    repositories,
    directories,
    principals,
    principalRules,
    capabilities: contributions.capabilities,
    probes: contributions.probes,
    entityProviders: providers.entities,
    operations: createRegistry(callables.operations, callables.chains, vendored),
    authentication: {
      authenticators: contributions.authenticators,
      chains: contributions.authenticationChains,
      sessions: contributions.sessionKeepers[0],
      links: contributions.signInLinks,
      admissionRules: contributions.admissionRules,
    },
    automation: automationRulesOf(settings, ownFoldersOf(settings)),
    diagnostics: new Diagnostics({ showsStackTraces: settings.restStackEnable, store: first.store, now: first.now, log }),
    vendored,
    importers: contributions.importers.toSorted((left, right) => left.order - right.order),
    renditions: createRenditions(contributions),
    thumbnails: createThumbnails(contributions.thumbnailFactories),
    bulkActions: new Map(contributions.bulkActions.map((action) => [action.name, action])),
    businessObjects: new Map(contributions.businessObjects.map((object) => [object.name, object])),
    uiActions: contributions.uiActions,
    workflows: new Map(contributions.workflows.map((workflow) => [workflow.name, workflow])),
    downloads: downloadSettingsOf(settings, contributions.downloadRules),
    // Batches belong to the whole server, as users do.
    uploads: createUploads({ store: first.store, blobs: first.blobs, now: first.now, rules: uploadRulesOf(settings) }),
    conversions: createConversions({
      converters: contributions.converters,
      rules: conversionRulesOf(settings),
      log,
      metrics,
      tracer,
    }),
    metadataMappings: contributions.metadataMappings,
    fileTexts: fileTextOptionsOf(settings, contributions),
    jsonLimits: jsonLimitsOf(settings),
    facts: factsOf(settings, vendored),
    consoleParts: consolePartsOf(plugins),
    programFolder: packageRoot,
    metrics,
    tracer,
    valuesOf: valuesIn(settings),
    reportSettings: () => reportSettings([...new Set([...settingGroups, ...settingsOf(plugins)])], settings, origins),
    log,
  }
  arrive(services)
  return services
}

type RepositoryParts = Omit<Parameters<typeof createRepository>[0], 'name' | 'store' | 'home'>

function repositoryPartsOf(settings: Settings, contributions: Contributions, vendored: VendorIdentifiers) {
  const { initialContent, securityPolicies, fileWatchers, serverListeners, blobInspectors, searchIndexes } = contributions
  return {
    listeners: [...contributions.listeners, awaitFileTexts(fileTextOptionsOf(settings, contributions))],
    serverListeners,
    blobInspectors,
    initialContent,
    securityPolicies,
    fileWatchers,
    rules: contentRulesOf(settings, vendored),
    searchRules: searchRulesOf(settings),
    searchIndex: searchIndexes[0],
  }
}

/** How much text of files is read, and by whom. */
export function fileTextOptionsOf(settings: Settings, { textExtractors: extractors }: Contributions): FileTextOptions {
  return { extractors, sizeLimit: settings.fulltextFieldSizeLimit, workers: settings.conversionProcesses }
}

function createRepositories(stores: ReadonlyMap<string, Store>, parts: RepositoryParts): ReadonlyMap<string, Repository> {
  const first = createRepository({ name: home, store: homeOf(stores), ...parts })
  const createOther = (name: string, store: Store) => createRepository({ name, store, home: first, ...parts })
  return new Map([...stores].map(([name, store]) => [name, name === home ? first : createOther(name, store)]))
}

/** Where the program, its data and the files are. */
function ownFoldersOf({ data, blobs }: Settings): readonly string[] {
  const files = blobs === undefined ? undefined : parseBlobsAddress(blobs)
  return [packageRoot, resolve(data), ...(files?.kind === 'folder' ? [resolve(files.path)] : [])]
}
