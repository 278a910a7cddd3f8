import type { Contributions } from './define-plugin.ts'

export type ListName = keyof Contributions

/** What is known of all definitions of one list. */
export interface ContributionList<One> {
  /** Before the name of one of them: `listener numberInvoices`. */
  readonly singular: string
  /** What names one among its kind. */
  identify(one: One): string
  /** Whether a name can be taken only once, as most can. */
  readonly isUnique?: false
  /** What the server calls of each. */
  readonly functions?: readonly string[]
}

type ContributionLists = { readonly [List in ListName]: ContributionList<Contributions[List][number]> }

const named = (singular: string, ...functions: readonly string[]) => ({
  singular,
  identify: (one: { readonly name: string }) => one.name,
  functions,
})

const identified = (singular: string) => ({ singular, identify: (one: { readonly id: string }) => one.id })

/** Everything that a plugin may contribute, in the order in which it is gathered. */
export const contributionLists: ContributionLists = {
  schemas: named('schema'),
  facets: named('facet'),
  documentTypes: named('document type'),
  documentTypeAdditions: { singular: 'addition to', identify: (one) => one.type, isUnique: false },
  lifecycles: named('lifecycle'),
  permissions: named('permission'),
  visiblePermissions: { ...named('visible permission'), isUnique: false },
  versioningPolicies: identified('versioning policy'),
  versioningRestrictions: { singular: 'versioning restriction of', identify: (one) => one.type },
  securityPolicies: named('security policy', 'decide'),
  fileWatchers: named('file watcher', 'watch'),
  directories: named('directory'),
  directoryEntries: { singular: 'entries of', identify: (one) => one.directory, isUnique: false },
  // A later one replaces an earlier one.
  pageProviders: { ...named('page provider'), isUnique: false },
  searchIndexes: named('search index', 'findPage', 'noteGone'),
  initialContent: { singular: 'initial content of', identify: (one) => one.type, isUnique: false },
  preparations: named('preparation', 'prepare'),
  blobInspectors: named('blob inspector', 'inspect'),
  importers: named('importer', 'prepare'),
  converters: named('converter'),
  metadataMappings: identified('metadata mapping'),
  textExtractors: named('text extractor', 'accepts', 'extract'),
  renditions: named('rendition', 'isAvailable', 'render'),
  renditionProviders: named('rendition provider', 'listFor'),
  thumbnailFactories: named('thumbnail factory'),
  // Several plugins may announce the same one.
  events: { ...named('event'), isUnique: false },
  listeners: named('listener', 'handle'),
  serverListeners: named('server listener', 'handle'),
  virtualUsers: named('virtual user'),
  groupComputers: named('group computer', 'groupsOf'),
  jobs: { singular: 'job', identify: (one) => one.kind, functions: ['run'] },
  schedules: named('schedule'),
  backgroundTasks: named('background task', 'run'),
  bulkActions: named('bulk action'),
  operations: identified('operation'),
  chains: identified('chain'),
  workflows: named('workflow'),
  businessObjects: named('business object'),
  uiActions: identified('action'),
  routes: { singular: 'route', identify: (one) => `${one.method} ${routeAddress(one)}`, functions: ['handle'] },
  resources: { singular: 'resource', identify: (one) => one.segment, functions: ['resolve'] },
  adapters: named('adapter'),
  enrichers: { singular: 'enricher', identify: (one) => one.name && `${one.entityType} ${one.name}`, functions: ['enrich'] },
  entityWriters: { singular: 'entity writer', identify: (one) => one.entityType, functions: ['write'] },
  downloadRules: named('download rule', 'isAllowed'),
  staticFiles: { singular: 'static files at', identify: (one) => one.path },
  authenticators: named('authenticator', 'identify'),
  authenticationChains: named('authentication chain'),
  sessionKeepers: named('session keeper', 'find', 'open', 'renew', 'end', 'leadOn'),
  signInLinks: named('sign-in link', 'urlFor'),
  admissionRules: named('admission rule', 'admits'),
  capabilities: named('capability', 'describe'),
  probes: named('probe', 'check'),
}

export const listNames = Object.keys(contributionLists) as readonly ListName[]

/** Where a route answers. Two that differ only in the names of their variables are at one address. */
function routeAddress({ under, path }: Contributions['routes'][number]): string {
  return `${under === 'api' ? '/api/v1' : ''}${String(path).replaceAll(/\{[^}+]*(\+?)\}/g, '{…$1}')}`
}
