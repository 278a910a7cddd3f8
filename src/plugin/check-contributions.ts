import type { BusinessObject } from '../automation/business-object.ts'
import type { Operation } from '../automation/operation.ts'
import { isRegularExpression } from '../base/regular-expression.ts'
import type { BulkAction } from '../core/bulk/bulk-action.ts'
import type { Converter } from '../core/conversion/converter.ts'
import type { Importer } from '../core/file-imports/importer.ts'
import type { ContentTemplate } from '../core/initial-content.ts'
import type { Schedule } from '../core/jobs/schedule.ts'
import type { JobHandler } from '../core/jobs/worker.ts'
import type { Rendition } from '../core/renditions/rendition.ts'
import { type Field, isScalar } from '../model/field.ts'
import type { Model } from '../model/model.ts'
import { everyField } from '../model/model-contributions.ts'
import type { DocumentSchema } from '../model/schema.ts'
import type { Adapter } from '../rest/adapter.ts'
import type { Enricher } from '../rest/render/rendering.ts'
import type { Resource, ResourceRoot } from '../rest/resource.ts'
import type { Method, Route } from '../rest/route.ts'
import type { StaticFolder } from '../rest/static-files.ts'
import { findNearestName } from '../settings/nearest-name.ts'
import { type EventTable, eventTable, findListenerMistake, findServerListenerMistake } from './check-listeners.ts'
import { type ContributionList, contributionLists, type ListName, listNames } from './contribution-lists.ts'
import type { Contributions, Plugin } from './define-plugin.ts'
import { pluginMistake } from './plugin-mistake.ts'

const methods = Object.keys({ GET: true, POST: true, PUT: true, DELETE: true } satisfies Record<Method, true>)
const resourceKinds = Object.keys({
  root: true,
  document: true,
  documents: true,
  blob: true,
  user: true,
  group: true,
  entities: true,
} satisfies Record<Resource['kind'], true>)

/** What definitions may refer to. */
interface Known {
  readonly model: Model
  readonly events: EventTable
  readonly directories: ReadonlySet<string>
}

/** What is wrong with one, as a reason that follows its name. */
type Check<One> = (one: One, known: Known) => string | undefined

const checks: { readonly [List in ListName]?: Check<Contributions[List][number]> } = {
  schemas: findSchemaMistake,
  directoryEntries: ({ directory }, { directories }) => (directories.has(directory) ? undefined : 'which is no directory'),
  initialContent: findTemplateMistake,
  importers: findImporterMistake,
  renditions: findRenditionMistake,
  converters: findConverterMistake,
  listeners: (listener, { events }) => findListenerMistake(listener, events),
  serverListeners: (listener, { events }) => findServerListenerMistake(listener, events),
  jobs: findJobMistake,
  schedules: findScheduleMistake,
  bulkActions: findBulkActionMistake,
  operations: findOperationMistake,
  businessObjects: findBusinessObjectMistake,
  routes: findRouteMistake,
  resources: findResourceMistake,
  adapters: findAdapterMistake,
  enrichers: findEnricherMistake,
  staticFiles: findStaticMistake,
}

/** Looks at each definition by itself, and at what it refers to. @throws pluginMistake */
export function requireSoundContributions(plugins: readonly Plugin[], contributions: Contributions, model: Model): void {
  const known: Known = {
    model,
    events: eventTable(contributions.events),
    directories: new Set(contributions.directories.map(({ name }) => name)),
  }
  for (const plugin of plugins) for (const list of listNames) requireSoundList(plugin, list, known)
}

function requireSoundList(plugin: Plugin, list: ListName, known: Known): void {
  const { singular, identify, functions = [] } = contributionLists[list] as ContributionList<unknown>
  const check = checks[list] as Check<unknown> | undefined
  for (const one of plugin[list] ?? []) {
    const mistake = findMissingFunction(one, functions) ?? check?.(one, known)
    if (mistake !== undefined) throw pluginMistake({ plugin: plugin.name, reason: `${singular} ${identify(one)} ${mistake}` })
  }
}

function findMissingFunction(one: object, functions: readonly string[]): string | undefined {
  const missing = functions.find((name) => typeof (one as Record<string, unknown>)[name] !== 'function')
  return missing === undefined ? undefined : `has no function ${missing}`
}

function findSchemaMistake({ fields }: DocumentSchema, { directories }: Known): string | undefined {
  for (const field of everyField(fields)) {
    const directory = directoryOf(field)
    if (directory !== undefined && !directories.has(directory))
      return `has the field ${field.name} of entries of the directory ${directory}, which does not exist`
  }
  return undefined
}

function directoryOf({ type }: Field): string | undefined {
  return isScalar(type) && type.resolver?.kind === 'directory' ? type.resolver.directory : undefined
}

function findTemplateMistake({ type, children }: ContentTemplate, { model }: Known): string | undefined {
  const unknown = [type, ...children.map((child) => child.type)].find((one) => !model.types.has(one))
  return unknown === undefined ? undefined : `names the unknown document type ${unknown}`
}

function findImporterMistake({ order, mimeTypes }: Importer): string | undefined {
  if (!Number.isFinite(order)) return `has the order ${String(order)}, which is no number`
  const wrong = mimeTypes.find((pattern) => !isRegularExpression(pattern))
  return wrong === undefined ? undefined : `takes the type ${wrong}, which is no regular expression`
}

function findRenditionMistake({ name, icon }: Rendition): string | undefined {
  if (/[/@]/.test(name)) return 'has a name that no address can hold: leave out / and @'
  return typeof icon === 'string' && /^[\w.-]+$/.test(icon)
    ? undefined
    : 'has no icon: name a file below /icons/, such as pdf.png'
}

const mimeTypePattern = /^(\*|[\w.+-]+\/(\*|[\w.+-]+))$/

function findConverterMistake(converter: Converter): string | undefined {
  const { sources, destinations } = converter
  if (!Array.isArray(sources) || sources.length === 0) return 'has no sources: say which types of files it takes'
  if (!Array.isArray(destinations) || destinations.length === 0) return 'has no destinations: say which types of files it makes'
  const wrong = [...sources, ...destinations].find((type) => !mimeTypePattern.test(type))
  if (wrong !== undefined) return `names the type ${wrong}, which is none such as text/plain, or image/* for all of them`
  const kinds = ['ways', 'steps', 'types', 'dispatch'].filter((kind) => kind in converter)
  if (kinds.length !== 1) return 'must have one of ways, steps, types and dispatch, which say how it converts'
  if (!('ways' in converter)) return undefined
  if (converter.ways.length === 0) return 'has no ways'
  const isSound = converter.ways.every(({ module }) => module instanceof URL)
  return isSound ? undefined : "has a way without a module: give new URL('./to-text.ts', import.meta.url)"
}

function findJobMistake({ maxAttempts = 1, ownWorkers = 0 }: JobHandler): string | undefined {
  if (!isCount(maxAttempts, 1)) return `has maxAttempts ${maxAttempts}, which is no whole number from 1 on`
  return isCount(ownWorkers, 0) ? undefined : `has ownWorkers ${ownWorkers}, which is no whole number from 0 on`
}

/** A timer of more milliseconds than 31 bits hold runs out at once. */
const maxSeconds = Math.floor(0x7f_ff_ff_ff / 1_000)

function findScheduleMistake(schedule: Schedule): string | undefined {
  const { everySeconds } = schedule
  if (!('job' in schedule)) {
    const missing = findMissingFunction(schedule, ['run'])
    if (missing !== undefined) return `${missing}, nor the kind of a job`
  }
  const isSound = Number.isFinite(everySeconds) && everySeconds > 0 && everySeconds <= maxSeconds
  return isSound ? undefined : `runs every ${String(everySeconds)} seconds: say a number above 0 and up to ${maxSeconds}`
}

function findBulkActionMistake({ name, batchSize = 1, run, produce }: BulkAction): string | undefined {
  if (typeof run !== 'function' && typeof produce !== 'function') return 'has no function run'
  if (name.includes('/')) return 'has a slash in its name, which no address can hold'
  return isCount(batchSize, 1) ? undefined : `has the batchSize ${batchSize}, which is no whole number from 1 on`
}

function isCount(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least
}

function findOperationMistake({ methods: made }: Operation): string | undefined {
  if (!Array.isArray(made)) return 'is not made by defineOperation or defineScript'
  return made.length === 0 ? 'has no method: its run must give at least one' : undefined
}

function findBusinessObjectMistake({ types = [], fields }: BusinessObject, { model }: Known): string | undefined {
  const unknown = types.find((type) => !model.types.has(type))
  if (unknown !== undefined) return `names the unknown document type ${unknown}`
  const [field, xpath] =
    Object.entries(fields).find(([, path]) => model.findProperty(path.split('/', 1)[0] ?? '') === undefined) ?? []
  return field === undefined ? undefined : `shows ${xpath} as ${field}, which no document has`
}

function findRouteMistake({ method, path, under, repositoryIn }: Route): string | undefined {
  if (!methods.includes(method)) return `has a method that is none of ${methods.join(', ')}`
  if (under !== 'api' && under !== 'server') return `is under ${String(under)}, which is neither api nor server`
  if (!path.startsWith('/')) return 'has a path that does not begin with /'
  const wrong = path.split('/').find((segment) => /[{}]/.test(segment) && !/^\{\w+\+?\}$/.test(segment))
  if (wrong !== undefined) return `has the segment ${wrong} in its path: a variable is a whole segment such as {name} or {name+}`
  const isNamed = repositoryIn === undefined || path.split('/').includes(`{${repositoryIn}}`)
  return isNamed ? undefined : `has its repository in ${repositoryIn}, which is no variable of its path`
}

function findResourceMistake({ segment }: ResourceRoot): string | undefined {
  return /[/@]/.test(segment) ? 'has a segment that no address can hold: leave out / and @' : undefined
}

function findAdapterMistake({ name, accepts, resolve, methods: own }: Adapter): string | undefined {
  if (/[/@]/.test(name)) return 'has a name that no address can hold: leave out / and @'
  const unknown = accepts.find((kind) => !resourceKinds.includes(kind))
  if (unknown !== undefined) return `accepts ${unknown}, which is none of ${resourceKinds.join(', ')}`
  return resolve === undefined && own === undefined ? 'has neither resolve nor methods' : undefined
}

function findStaticMistake({ path, folder }: StaticFolder): string | undefined {
  if (!/^(\/[\w-]+)+$/.test(path)) return 'have a path that is not one such as /invoices/pages'
  return folder instanceof URL ? undefined : "have no folder: give new URL('./pages/', import.meta.url)"
}

function findEnricherMistake({ entityType }: Enricher): string | undefined {
  const isKnown = entityType === 'document' || entityType === 'user'
  return isKnown ? undefined : `enriches ${String(entityType)}, which is neither document nor user`
}

export interface OwnedJob {
  readonly plugin: string
  readonly job: JobHandler
}

/**
 * Some jobs are made when the services are there, so that all of them are known only then: of no kind there are two, and schedules
 * name no job without a handler. @throws pluginMistake
 */
export function requireKnownJobs(plugins: readonly Plugin[], jobs: readonly OwnedJob[]): void {
  const kinds = new Map<string, string>()
  for (const { plugin, job } of jobs) {
    const other = kinds.get(job.kind)
    const mistake = other === undefined ? findJobMistake(job) : `is contributed by ${other} already`
    if (mistake !== undefined) throw pluginMistake({ plugin, reason: `job ${job.kind} ${mistake}` })
    kinds.set(job.kind, plugin)
  }
  for (const { name: plugin, schedules = [] } of plugins) {
    for (const schedule of schedules) {
      if (!('job' in schedule) || kinds.has(schedule.job)) continue
      throw pluginMistake({ plugin, reason: `schedule ${schedule.name} adds ${unknownJob(schedule.job, kinds)}` })
    }
  }
}

function unknownJob(kind: string, kinds: ReadonlyMap<string, string>): string {
  const nearest = findNearestName(kind, [...kinds.keys()])
  return `jobs of the kind ${kind}, which nobody does: ${nearest === undefined ? 'contribute it as one of jobs' : `did you mean ${nearest}?`}`
}
