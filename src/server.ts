import { createRegistry as createOperationRegistry, type OperationRegistry } from './automation/registry.ts'
import { Metrics } from './base/metrics.ts'
import { type VendorIdentifiers, vendorIdentifiers } from './base/vendor.ts'
import type { Settings } from './builtin-settings.ts'
import type { RunningServer, StartOptions } from './cli/serve/running-server.ts'
import type { OpenServices } from './command/command.ts'
import { systemAccess } from './core/access.ts'
import { noteRepositories, requireEveryRepository } from './core/blob-gc/known-repositories.ts'
import { findNoted, requireSameOwner } from './core/blob-owner/require-same-owner.ts'
import { ensureEntries } from './core/directories/contributed-entries.ts'
import { loadDirectories } from './core/directories/load-directories.ts'
import { ensureRoot, prepareRepository } from './core/initial-content.ts'
import { requireNoNamesake } from './core/principals/emergency-administrator.ts'
import { ensureFirstAdministrator, findPasswordAhead, type PasswordAhead } from './core/principals/first-administrator.ts'
import type { SiblingProcesses } from './http/connection-moves.ts'
import { createHttpServer, type HttpServer, type ListeningPlaces } from './http/http-server.ts'
import { httpSettingsOf } from './http/http-settings.ts'
import { namingThePlugin } from './plugin/check-directories.ts'
import { isServedIn, type PortShare } from './rest/management.ts'
import { createRegistry, createRendering } from './rest/registry.ts'
import type { Services } from './rest/services.ts'
import { staticRoutes } from './rest/static-files.ts'
import { createJobs, startBackground } from './server/background.ts'
import { createServices } from './server/create-services.ts'
import { type Definitions, readDefinitions } from './server/definitions.ts'
import { type Data, homeOf, openData, openDataAsItIs } from './server/open-data.ts'
import { openTracer } from './server/open-tracer.ts'
import { type AdministratorPassword, requireProtectedAdministrator } from './settings/administrator-password.ts'

/** A running server with its parts, for programs and tests that embed it. */
export interface EmbeddedServer extends RunningServer {
  readonly services: Services
}

/** Puts the server together, from the ground up, and listens. @throws administratorUnprotected */
export async function startServer(options: StartOptions): Promise<EmbeddedServer> {
  const { settings, origins, plugins, log, writeTurns, metricsExchange, siblings } = options
  const definitions = readDefinitions({ plugins, settings })
  const metrics = new Metrics(metricsExchange)
  const tracer = await openTracer(settings, { log, metrics })
  const data = await openData(settings, definitions, { log, metrics, tracer, writeTurns }).catch(async (error: unknown) => {
    await tracer.end()
    throw error
  })
  try {
    const ahead = await findPasswordAhead(homeOf(data.stores), settings.adminPassword)
    const services = createServices(settings, definitions, data, { log, metrics, tracer, origins })
    await requireSameOwner(services.repositories, { adopts: settings.adoptFiles })
    const administratorPassword = await fillNewDatabases(settings, definitions, services, ahead)
    await requireNoNamesake(services.directories.store, services.principalRules)
    requireProtectedAdministrator(settings.host, administratorPassword)
    if (settings.managementPort !== undefined) requireProtectedAdministrator(settings.managementHost, administratorPassword)
    return { ...(await listen(settings, definitions, services, data, siblings)), administratorPassword }
  } catch (error) {
    await data.close()
    await tracer.end()
    throw error
  }
}

/**
 * Opens the data that a server keeps, for a command that may run beside it. Nothing of the database but rows is changed, whatever
 * plugins and settings the command was given.
 * @throws databaseAbsent, databaseOutdated, blobsAddressWrong, bucketUnusable, databaseLost, filesLost, filesOfAnotherDatabase
 */
export async function openServices({ settings, plugins, log }: StartOptions): Promise<OpenServices> {
  const definitions = readDefinitions({ plugins, settings })
  const data = await openDataAsItIs(settings, definitions, log)
  try {
    const services = createServices(settings, definitions, data, { log, metrics: new Metrics() })
    await requireSameOwner(services.repositories)
    return { services, close: () => closeAll(services, data) }
  } catch (error) {
    await data.close()
    throw error
  }
}

/**
 * The id that the databases of a server have in common with their files. All of the server must be there and of this version for that.
 * @throws as openServices does, repositoryNotOpen
 */
export async function readSourceId(options: StartOptions): Promise<string> {
  const { services, close } = await openServices(options)
  try {
    await requireEveryRepository(services.repositories)
    const id = await findNoted(homeOf(services.repositories))
    if (id === undefined) throw new Error('A database that was opened has no id.')
    return id
  } finally {
    await close()
  }
}

async function closeAll({ conversions }: Services, data: Data): Promise<void> {
  await conversions.end()
  await data.close()
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

async function fillNewDatabases(
  { adminPassword }: Settings,
  { plugins, contributions: { initialContent, preparations, directoryEntries } }: Definitions,
  { directories, facts, repositories }: Services,
  ahead: PasswordAhead,
): Promise<AdministratorPassword> {
  await namingThePlugin(plugins, () => loadDirectories(directories, facts.vendored))
  const [first] = repositories.values()
  if (first !== undefined) await namingThePlugin(plugins, () => ensureEntries(systemAccess(first.home), directoryEntries))
  for (const repository of repositories.values()) {
    await ensureRoot(repository, initialContent)
    await prepareRepository(repository, preparations)
  }
  await noteRepositories(repositories)
  return ensureFirstAdministrator(directories, { password: adminPassword, ...ahead }, facts.vendored)
}

async function listen(
  settings: Settings,
  definitions: Definitions,
  services: Services,
  data: Data,
  siblings: SiblingProcesses | undefined,
): Promise<Omit<EmbeddedServer, 'administratorPassword'>> {
  const jobs = createJobs(settings, definitions, services)
  const { managementPort } = settings
  const http = createHttp(settings, definitions, services, managementPort === undefined ? 'all' : 'public', siblings)
  const management = managementPort === undefined ? undefined : createHttp(settings, definitions, services, 'management')
  const places = await http.listen({ host: settings.host, port: settings.port })
  const managementPlaces = await management
    ?.listen({ host: settings.managementHost, port: managementPort ?? 0 })
    .catch(async (error: unknown) => {
      await http.stop()
      throw error
    })
  const background = await startBackground(settings, definitions, services, jobs)
  return {
    ...addressesOf(places, settings),
    services,
    ...(managementPlaces?.plain && { managementUrl: urlAt('http', managementPlaces.plain, settings) }),
    refuseCurrent: (error) => http.refuseCurrent(error) || (management?.refuseCurrent(error) ?? false),
    async stop() {
      for (const { stopping } of services.repositories.values()) stopping.abort()
      const jobsEnded = background.endJobs()
      await Promise.all([http.stop(), management?.stop()])
      await background.endSchedules()
      await jobsEnded
      await closeAll(services, data)
      await services.tracer.end()
    },
  }
}

/** Where clients begin: with TLS, where the port without it sends them on or is not there. */
function addressesOf(
  { plain, encrypted }: ListeningPlaces,
  settings: Settings,
): Pick<RunningServer, 'address' | 'url' | 'encryptedUrl'> {
  const address = plain ?? encrypted
  if (address === undefined) throw new Error('A server that listens does so somewhere.')
  const encryptedUrl = encrypted && urlAt('https', encrypted, settings)
  const isServedPlainly = plain !== undefined && settings.plainHttp === 'serve'
  return {
    address,
    url: isServedPlainly || encryptedUrl === undefined ? urlAt('http', address, settings) : encryptedUrl,
    ...(encryptedUrl !== undefined && { encryptedUrl }),
  }
}

function urlAt(scheme: 'http' | 'https', { host, port }: RunningServer['address'], { basePath }: Settings): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}/`
}

/** Whether a database of it can be written to by one process at a time. */
function hasOneWriter({ repositories }: Services): boolean {
  return [...repositories.values()].some(({ store }) => store.engine === 'sqlite')
}

function createHttp(
  settings: Settings,
  { contributions }: Definitions,
  services: Services,
  share: PortShare,
  siblings?: SiblingProcesses,
): HttpServer {
  const all = [...contributions.routes, ...contributions.staticFiles.flatMap(staticRoutes)]
  const routes = all.filter((route) => isServedIn(share, route))
  // There are no documents on the port of who looks after the server.
  const documents = share === 'management' ? { resources: [], adapters: [] } : {}
  const unencrypted = { httpsPort: 0, plainHttp: 'serve' } as const
  return createHttpServer({
    services,
    registry: createRegistry({ ...contributions, ...documents, routes, operations: services.operations.operations }),
    rendering: createRendering(contributions),
    settings: httpSettingsOf(share === 'management' ? { ...settings, ...unencrypted } : settings),
    stackTraces: services.diagnostics,
    log: services.log,
    ...(siblings !== undefined && settings.connectionMoves && hasOneWriter(services) && { siblings }),
  })
}
