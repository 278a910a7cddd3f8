import type { BusinessObject } from '../automation/business-object.ts'
import type { Chain } from '../automation/chain.ts'
import type { Operation } from '../automation/operation.ts'
import type { UiAction } from '../automation/ui-action.ts'
import type { WorkflowModel } from '../automation/workflow.ts'
import type { Commands } from '../command/command.ts'
import type { BlobInspector } from '../core/blobs/blob-inspector.ts'
import type { BulkAction } from '../core/bulk/bulk-action.ts'
import type { Converter } from '../core/conversion/converter.ts'
import type { MetadataMapping } from '../core/conversion/metadata-mapping.ts'
import type { ContributedEntries } from '../core/directories/contributed-entries.ts'
import type { DirectoryDefinition } from '../core/directories/directory-definition.ts'
import type { EventDefinition } from '../core/event-definition.ts'
import type { Importer } from '../core/file-imports/importer.ts'
import type { TextExtractor } from '../core/file-texts/text-extractor.ts'
import type { ContentTemplate, Preparation } from '../core/initial-content.ts'
import type { Schedule } from '../core/jobs/schedule.ts'
import type { JobHandler } from '../core/jobs/worker.ts'
import type { GroupComputer, VirtualUser } from '../core/principals/principal-rules.ts'
import type { Rendition, RenditionProvider } from '../core/renditions/rendition.ts'
import type { ThumbnailFactory } from '../core/renditions/thumbnail-factory.ts'
import type { PageProvider } from '../core/search/providers/page-provider.ts'
import type { FileWatcher, Listener, SearchIndex, SecurityPolicy, ServerListener } from '../core/session.ts'
import type { ModelContributions } from '../model/model-contributions.ts'
import type { Adapter } from '../rest/adapter.ts'
import type { AdmissionRule, AuthenticationChain, Authenticator, SessionKeeper, SignInLink } from '../rest/authenticator.ts'
import type { ConsoleContributions } from '../rest/console/console-pieces.ts'
import type { DownloadRule } from '../rest/download/download-rule.ts'
import type { Enricher, EntityWriter } from '../rest/render/rendering.ts'
import type { ResourceRoot } from '../rest/resource.ts'
import type { Route } from '../rest/route.ts'
import type { BackgroundTask, Capability, EntityProvider, HealthProbe, Services } from '../rest/services.ts'
import type { StaticFolder } from '../rest/static-files.ts'
import type { SettingDeclarations, SettingValues } from '../settings/define-settings.ts'
import type { TableMigration } from '../store/tables.ts'

/** Everything a plugin can add to the server. Each list is typed by the floor that understands it. */
export interface Contributions extends ModelContributions {
  readonly securityPolicies: readonly SecurityPolicy[]
  /** What has to know where all files of documents come and go, for sums that are right whatever happens. */
  readonly fileWatchers: readonly FileWatcher[]
  readonly directories: readonly DirectoryDefinition[]
  /** What a start adds to directories where it is not there yet. */
  readonly directoryEntries: readonly ContributedEntries[]
  readonly pageProviders: readonly (PageProvider | EntityProvider)[]
  /** One at most: it finds documents beside the database. */
  readonly searchIndexes: readonly SearchIndex[]
  readonly initialContent: readonly ContentTemplate[]
  /** What a start makes in each repository before it answers anybody. */
  readonly preparations: readonly Preparation[]
  readonly blobInspectors: readonly BlobInspector[]
  readonly importers: readonly Importer[]
  /** Of two that make the same of the same type, the later one is taken. */
  readonly converters: readonly Converter[]
  readonly metadataMappings: readonly MetadataMapping[]
  readonly textExtractors: readonly TextExtractor[]
  readonly renditions: readonly Rendition[]
  readonly renditionProviders: readonly RenditionProvider[]
  readonly thumbnailFactories: readonly ThumbnailFactory[]
  /** What its listeners, and those of others, may listen to beside the built-in ones. */
  readonly events: readonly EventDefinition[]
  readonly listeners: readonly Listener[]
  readonly serverListeners: readonly ServerListener[]
  readonly virtualUsers: readonly VirtualUser[]
  readonly groupComputers: readonly GroupComputer[]
  readonly jobs: readonly JobHandler[]
  readonly schedules: readonly Schedule[]
  readonly backgroundTasks: readonly BackgroundTask[]
  readonly bulkActions: readonly BulkAction[]
  readonly operations: readonly Operation[]
  readonly chains: readonly Chain[]
  readonly workflows: readonly WorkflowModel[]
  readonly businessObjects: readonly BusinessObject[]
  readonly uiActions: readonly UiAction[]
  readonly routes: readonly Route[]
  readonly resources: readonly ResourceRoot[]
  readonly adapters: readonly Adapter[]
  readonly enrichers: readonly Enricher[]
  readonly entityWriters: readonly EntityWriter[]
  readonly downloadRules: readonly DownloadRule[]
  readonly staticFiles: readonly StaticFolder[]
  readonly authenticators: readonly Authenticator[]
  readonly authenticationChains: readonly AuthenticationChain[]
  /** One at most. */
  readonly sessionKeepers: readonly SessionKeeper[]
  readonly signInLinks: readonly SignInLink[]
  readonly admissionRules: readonly AdmissionRule[]
  readonly capabilities: readonly Capability[]
  /** What health checks look at beside the server's own. */
  readonly probes: readonly HealthProbe[]
}

/** A named part of the server: built-in features and a deployment's own are made alike. */
export interface PluginDefinition<Declarations extends SettingDeclarations> extends Partial<Contributions> {
  readonly name: string
  /** Plugins that must be there too, and that come before this one. */
  readonly requires?: readonly string[]
  /** What an operator may tell it: each is a flag, a variable and a name in `quire.config.ts`. */
  readonly settings?: Declarations
  /**
   * Tables of its own in the database of each repository, as numbered steps; their names begin with that of the plugin. They are read
   * and written through `session.reader.tables` and `session.tx.tables`.
   */
  readonly tables?: readonly TableMigration[]
  /** What it adds to the command line, each loaded when it is called: `quire count-invoices`. */
  readonly commands?: Commands
  /** What it adds to the console: layouts of its types, widgets, tabs, actions and pages. */
  readonly console?: ConsoleContributions
  /**
   * Contributes what depends on its settings, or what needs more of the server than it is handed when it runs. The services are there
   * once the server is put together: they are for the functions that are made here, not for the making.
   */
  contribute?(values: SettingValues<Declarations>, services: Services): Partial<Contributions>
}

export type Plugin = PluginDefinition<SettingDeclarations>

/**
 * Declares a plugin. A deployment lists its own in `quire.config.ts`.
 * @example
 * export default definePlugin({
 *   name: 'invoices',
 *   schemas: [defineSchema('invoice', { prefix: 'inv', fields: { number: string(), amount: double() } })],
 *   documentTypes: [defineDocumentType('Invoice', { extends: 'File', schemas: ['invoice'], lifecycle: 'default' })],
 *   settings: { invoiceLimit: { type: 'integer', default: 1_000, help: 'Largest amount that needs no approval' } },
 *   contribute: ({ invoiceLimit }) => ({ capabilities: [{ name: 'invoices', describe: () => ({ limit: invoiceLimit }) }] }),
 * })
 */
export function definePlugin<const Declarations extends SettingDeclarations = Record<never, never>>(
  plugin: PluginDefinition<Declarations>,
): Plugin {
  return plugin
}
