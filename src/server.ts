import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { automationRulesOf } from './automation/automation-settings.ts'
import { Diagnostics } from './automation/diagnostics.ts'
import { createRegistry as createOperationRegistry, type OperationRegistry } from './automation/registry.ts'
import type { Log } from './base/log.ts'
import { type VendorIdentifiers, vendorIdentifiers } from './base/vendor.ts'
import { builtinPlugins } from './builtin-plugins.ts'
import type { RunningServer, StartOptions } from './cli/serve/running-server.ts'
import type { OpenServices } from './command/command.ts'
import { carryOverJob, carryOverSchedule } from './core/blob-addresses/carry-over.ts'
import { noteRepositories } from './core/blob-gc/known-repositories.ts'
import { databaseLost } from './core/blob-owner/plan-ownership.ts'
import { isInUse, requireSameOwner } from './core/blob-owner/require-same-owner.ts'
import { uploadRulesOf } from './core/blobs/file-settings.ts'
import { watchBlobs } from './core/blobs/watch-blobs.ts'
import { createBulkJobs } from './core/bulk/bulk-jobs.ts'
import { contentRulesOf } from './core/content-settings.ts'
import { createRepository } from './core/create-repository.ts'
import { createDirectories, type Directories } from './core/directories/directories.ts'
import { loadDirectories } from './core/directories/load-directories.ts'
import { awaitFileTexts, type FileTextOptions, readFileTextsJob } from './core/file-texts/read-file-texts.ts'
import { ensureRoot } from './core/initial-content.ts'
import { removeOrphanVersionsJob, startSweeping } from './core/jobs/housekeeping.ts'
import { listenerJob } from './core/jobs/listener-jobs.ts'
import { startSchedules } from './core/jobs/schedule.ts'
import { type JobHandler, startJobs } from './core/jobs/worker.ts'
import { ensureFirstAdministrator, hashAhead } from './core/principals/first-administrator.ts'
import { accountRulesOf, principalRulesOf } from './core/principals/people-settings.ts'
import { createPrincipals } from './core/principals/principals.ts'
import { searchRulesOf, textRulesOf } from './core/search/search-settings.ts'
import type { Repository } from './core/session.ts'
import { createUploads, type Uploads } from './core/uploads/uploads.ts'
import { createHttpServer } from './http/http-server.ts'
import { httpSettingsOf, jsonLimitsOf } from './http/http-settings.ts'
import { createModel, type Model } from './model/model.ts'
import { modelMistake } from './model/model-contributions.ts'
import { packageRoot } from './package-root.ts'
import { type OwnedJob, requireKnownJobs, requireSoundContributions } from './plugin/check-contributions.ts'
import { namingThePlugin, requireSoundDirectories } from './plugin/check-directories.ts'
import { requireSoundOperations } from './plugin/check-operations.ts'
import { requireSoundProviders } from './plugin/check-page-providers.ts'
import { deferServices } from './plugin/deferred-services.ts'
import type { Contributions, Plugin } from './plugin/define-plugin.ts'
import { findContributor, gatherPlugins, parsePlugins, withContributed } from './plugin/gather-plugins.ts'
import { type NamedProviders, nameProviders } from './plugin/named-providers.ts'
import { pluginMistake } from './plugin/plugin-mistake.ts'
import { tablesOf } from './plugin/plugin-tables.ts'
import { factsOf } from './rest/api-settings.ts'
import { downloadSettingsOf } from './rest/download/download-rule.ts'
import { createRegistry, createRendering } from './rest/registry.ts'
import type { Services } from './rest/services.ts'
import { staticRoutes } from './rest/static-files.ts'
import { type AdministratorPassword, requireProtectedAdministrator } from './settings/administrator-password.ts'
import type { BlobStore } from './store/blobs/blob-store.ts'
import { parseBlobsAddress } from './store/blobs/blobs-address.ts'
import { openBlobs } from './store/blobs/open-blobs.ts'
import { embeddedFile, openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'

type Settings = StartOptions['settings']

/** A running server with its parts, for programs and tests that embed it. */
export interface EmbeddedServer extends RunningServer {
  readonly services: Services
}

/** Puts the server together, from the ground up, and listens. @throws administratorUnprotected */
export async function startServer({ settings, plugins, log }: StartOptions): Promise<EmbeddedServer> {
  const definitions = readDefinitions({ plugins, settings })
  const blobs = await openBlobsOf(settings)
  if (!settings.adoptFiles) await requireDatabase(settings, blobs)
  const stores = await openStores(settings, definitions, log)
  try {
    const services = createServices(settings, definitions, { stores, blobs: watchBlobs(blobs, log) }, log)
    await requireSameOwner(services.repositories, { adopts: settings.adoptFiles })
    const administratorPassword = await fillNewDatabases(settings, definitions, services)
    requireProtectedAdministrator(settings.host, administratorPassword)
    return { ...(await listen(settings, definitions, services, stores)), administratorPassword }
  } catch (error) {
    await closeAll(stores)
    throw error
  }
}

/** Users, vocabularies and other directories belong to the whole server and live with its first repository. */
const home = 'default'

/** An embedded one is not even made where the files tell that there was another. @throws databaseLost */
async function requireDatabase({ databaseUrl, data }: Settings, blobs: BlobStore): Promise<void> {
  const isMissing = () => databaseUrl === undefined && !existsSync(embeddedFile(data, home))
  // Looked for once more at the end: another process may have begun with both in between.
  if (isMissing() && (await isInUse(blobs)) && isMissing()) throw databaseLost({ repository: home })
}

/**
 * Opens the data that a server keeps, for a command that may run beside it. Nothing of the database but rows is changed, whatever
 * plugins and settings the command was given.
 * @throws databaseAbsent, databaseOutdated, blobsAddressWrong, bucketUnusable, databaseLost, filesLost, filesOfAnotherDatabase
 */
export async function openServices({ settings, plugins, log }: StartOptions): Promise<OpenServices> {
  const definitions = readDefinitions({ plugins, settings })
  const blobs = await openBlobsOf(settings)
  const stores = await openStores(settings, definitions, log, true)
  try {
    const services = createServices(settings, definitions, { stores, blobs: watchBlobs(blobs, log) }, log)
    await requireSameOwner(services.repositories)
    return { services, close: () => closeAll(stores) }
  } catch (error) {
    await closeAll(stores)
    throw error
  }
}

/** What clients could call of a server with these plugins. @throws pluginMistake */
export function readOperations({ settings, plugins }: Pick<StartOptions, 'settings' | 'plugins'>): {
  readonly operations: OperationRegistry
  readonly vendored: VendorIdentifiers
} {
  const { contributions } = readDefinitions({ plugins, settings })
  const vendored = vendorIdentifiers(settings.vendor)
  return { operations: createOperationRegistry(contributions.operations, contributions.chains, vendored), vendored }
}

/** Where documents and files are. */
interface Data {
  readonly stores: ReadonlyMap<string, Store>
  readonly blobs: BlobStore
}

function openBlobsOf({ blobs: address, data: dataFolder, blobDigestAlgorithm: digestAlgorithm }: Settings): Promise<BlobStore> {
  return openBlobs({ dataFolder, digestAlgorithm, ...(address !== undefined && { address }) })
}

interface Definitions {
  readonly plugins: readonly Plugin[]
  readonly contributions: Contributions
  readonly model: Model
  /** Hands the services to the plugins, which were promised them. */
  arrive(services: Services): void
}

function readDefinitions({ plugins, settings }: Pick<StartOptions, 'plugins' | 'settings'>): Definitions {
  const { servicesFor, arrive } = deferServices()
  const contributing = (some: readonly Plugin[]) => withContributed(some, settings, servicesFor)
  const own = contributing(parsePlugins(plugins))
  const all = [...contributing(builtinPlugins), ...own]
  const contributions = gatherPlugins(all)
  const model = createModelOf(all, contributions)
  // The built-in ones are looked at by a test: compiling their queries took a tenth of a second of every start.
  requireSoundProviders(own, contributions, model)
  requireSoundDirectories(all, model)
  requireSoundContributions(own, contributions, model)
  requireSoundOperations(all)
  return { plugins: all, contributions, model, arrive }
}

/** A mistake in a definition shows only when everything is joined; the plugin that made it is named all the same. */
function createModelOf(plugins: readonly Plugin[], contributions: Contributions): Model {
  try {
    return createModel(contributions)
  } catch (error) {
    if (!modelMistake.is(error)) throw error
    const { kind, name, reason, definition } = error.details
    const plugin = findContributor(plugins, definition) ?? 'unknown'
    throw pluginMistake({ plugin, reason: `${kind} ${name} ${reason}` }, { cause: error })
  }
}

async function openStores(
  settings: Settings,
  { model, plugins }: Pick<Definitions, 'model' | 'plugins'>,
  log: Log,
  asItIs = false,
): Promise<ReadonlyMap<string, Store>> {
  const stores = new Map<string, Store>()
  const { data: dataFolder, databaseSchema, databaseUrl, documentCache: cachedDocuments } = settings
  const searchLimits = {
    timeLimitMilliseconds: settings.searchTimeLimit,
    whileWritingMilliseconds: settings.searchTimeLimitWhileWriting,
    processes: settings.searchProcesses,
  }
  const place = {
    dataFolder,
    databaseSchema,
    cachedDocuments,
    searchLimits,
    textRules: textRulesOf(settings),
    tables: tablesOf(plugins),
    asItIs,
    ...(databaseUrl !== undefined && { databaseUrl }),
  }
  try {
    for (const repository of settings.repositories) stores.set(repository, await openStore({ repository, ...place }, model, log))
  } catch (error) {
    await closeAll(stores)
    throw error
  }
  return stores
}

function fileTextOptionsOf(settings: Settings, { textExtractors: extractors }: Contributions): FileTextOptions {
  return { extractors, sizeLimit: settings.fulltextFieldSizeLimit }
}

function readDefault(stores: ReadonlyMap<string, Store>): Store {
  const store = stores.get(home)
  if (store === undefined) throw new Error('There is no repository named default.')
  return store
}

function createRepositories(
  settings: Settings,
  vendored: VendorIdentifiers,
  log: Log,
  { stores, blobs }: Data,
  model: Model,
  contributions: Contributions,
  { queries: pageProviders }: NamedProviders,
  directories: Directories,
  { principals }: People,
): ReadonlyMap<string, Repository> {
  const rules = contentRulesOf(settings, vendored)
  const searchRules = searchRulesOf(settings)
  const { initialContent, securityPolicies, serverListeners, blobInspectors } = contributions
  const listeners = [...contributions.listeners, awaitFileTexts(fileTextOptionsOf(settings, contributions))]
  const parts = {
    model,
    blobs,
    blobInspectors,
    directories,
    principals,
    listeners,
    serverListeners,
    initialContent,
    securityPolicies,
    pageProviders,
    rules,
    searchRules,
    log,
  }
  const first = createRepository({ name: home, store: readDefault(stores), ...parts })
  const createOther = (name: string, store: Store) => createRepository({ name, store, home: first, ...parts })
  return new Map([...stores].map(([name, store]) => [name, name === home ? first : createOther(name, store)]))
}

async function fillNewDatabases(
  { adminPassword }: Settings,
  { plugins, contributions: { initialContent } }: Definitions,
  { directories, facts, repositories }: Services,
): Promise<AdministratorPassword> {
  const ahead = await hashAhead(directories.store, adminPassword)
  await namingThePlugin(plugins, () => loadDirectories(directories, facts.vendored))
  const password = await ensureFirstAdministrator(directories, { password: adminPassword, ...ahead }, facts.vendored)
  for (const repository of repositories.values()) await ensureRoot(repository, initialContent)
  await noteRepositories(repositories)
  return password
}

function createServices(settings: Settings, { contributions, model, arrive }: Definitions, data: Data, log: Log): Services {
  const vendored = vendorIdentifiers(settings.vendor)
  const directories = createDirectories(contributions.directories, readDefault(data.stores), model)
  const people = createPeople(settings, contributions, directories)
  const providers = nameProviders(contributions, vendored)
  const repositories = createRepositories(settings, vendored, log, data, model, contributions, providers, directories, people)
  const services: Services = {
    repositories,
    directories,
    ...people,
    capabilities: contributions.capabilities,
    entityProviders: providers.entities,
    operations: createOperationRegistry(contributions.operations, contributions.chains, vendored),
    automation: automationRulesOf(settings, ownFoldersOf(settings)),
    diagnostics: new Diagnostics({ showsStackTraces: settings.restStackEnable }),
    vendored,
    importers: contributions.importers.toSorted((left, right) => left.order - right.order),
    bulkActions: new Map(contributions.bulkActions.map((action) => [action.name, action])),
    businessObjects: new Map(contributions.businessObjects.map((object) => [object.name, object])),
    uiActions: contributions.uiActions,
    downloads: downloadSettingsOf(settings, contributions.downloadRules),
    uploads: createUploadsOf(settings, repositories),
    jsonLimits: jsonLimitsOf(settings),
    facts: factsOf(settings, vendored),
    log,
  }
  arrive(services)
  return services
}

/** Where the program, its data and the files are. */
function ownFoldersOf({ data, blobs }: Settings): readonly string[] {
  const files = blobs === undefined ? undefined : parseBlobsAddress(blobs)
  return [packageRoot, resolve(data), ...(files?.kind === 'folder' ? [resolve(files.path)] : [])]
}

/** Batches belong to the whole server, as users do. */
function createUploadsOf(settings: Settings, repositories: ReadonlyMap<string, Repository>): Uploads {
  const first = repositories.get(home)
  if (first === undefined) throw new Error('There is no repository named default.')
  return createUploads({ store: first.store, blobs: first.blobs, now: first.now, rules: uploadRulesOf(settings) })
}

type People = Pick<Services, 'principals' | 'principalRules' | 'accountRules'>

function createPeople(settings: Settings, contributions: Contributions, { store }: Directories): People {
  const principalRules = principalRulesOf(settings, contributions)
  return { principals: createPrincipals(store, principalRules), principalRules, accountRules: accountRulesOf(settings) }
}

/** @throws pluginMistake */
function createJobs(
  settings: Settings,
  { plugins, contributions }: Pick<Definitions, 'plugins' | 'contributions'>,
  services: Services,
): readonly JobHandler[] {
  const bulkJobs = createBulkJobs({ principals: services.principals, actions: services.bulkActions })
  const fileTextsJob = readFileTextsJob(fileTextOptionsOf(settings, contributions))
  const ownJobs = [removeOrphanVersionsJob, listenerJob, fileTextsJob, carryOverJob(), ...bulkJobs]
  const jobsOf = ({ name: plugin, jobs = [] }: Plugin): readonly OwnedJob[] => jobs.map((job) => ({ plugin, job }))
  const all = [...ownJobs.map((job) => ({ plugin: 'quire', job })), ...plugins.flatMap(jobsOf)]
  requireKnownJobs(plugins, all)
  return all.map(({ job }) => job)
}

async function listen(
  settings: Settings,
  { plugins, contributions }: Definitions,
  services: Services,
  stores: ReadonlyMap<string, Store>,
): Promise<Omit<EmbeddedServer, 'administratorPassword'>> {
  const jobs = createJobs(settings, { plugins, contributions }, services)
  const routes = [...contributions.routes, ...contributions.staticFiles.flatMap(staticRoutes)]
  const http = createHttpServer({
    services,
    registry: createRegistry({ ...contributions, routes, operations: services.operations.operations }),
    rendering: createRendering(contributions),
    authenticators: contributions.authenticators,
    settings: httpSettingsOf(settings),
    showsStackTraces: () => services.diagnostics.showsStackTraces,
    log: services.log,
  })
  const address = await http.listen({ host: settings.host, port: settings.port })
  const repositories = [...services.repositories.values()]
  for (const { store } of repositories) store.admitJobs(jobs.map(({ kind }) => kind))
  const endJobs = await Promise.all(repositories.map((repository) => startJobs(repository, jobs)))
  const sweepers = repositories.map(startSweeping)
  const schedules = [...contributions.schedules, carryOverSchedule]
  const endSchedules = repositories.map((repository) => startSchedules(repository, schedules))
  return {
    address,
    services,
    url: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}${settings.basePath}/`,
    refuseCurrent: http.refuseCurrent,
    async stop() {
      for (const { stopping } of repositories) stopping.abort()
      const jobsEnded = inTime(Promise.all(endJobs.map((end) => end())), settings.stopTimeout, () =>
        services.log.warn({ event: 'jobs.cutOff' }, 'jobs under way were cut off; the next start takes them up'),
      )
      await http.stop()
      for (const endSweeping of sweepers) endSweeping()
      await Promise.all(endSchedules.map((end) => end()))
      await jobsEnded
      await closeAll(stores)
    },
  }
}

/** Waits for something, but no longer than that. */
async function inTime(work: Promise<unknown>, milliseconds: number, onLate: () => void): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    onLate()
    late.resolve()
  }, milliseconds)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}

async function closeAll(stores: ReadonlyMap<string, Store>): Promise<void> {
  await Promise.all([...stores.values()].map((store) => store.close()))
}
