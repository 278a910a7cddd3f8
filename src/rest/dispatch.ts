import { defineProblem, Problem } from '../base/problem.ts'
import type { Repository, Session } from '../core/session.ts'
import { type Adapter, type AdapterMethodCall, findMethodsAt } from './adapter.ts'
import type { Answer } from './answer.ts'
import { methodNotAllowed, withImpliedMethods } from './method-not-allowed.ts'
import { DeclaredInput, type Sent } from './payload/declared-input.ts'
import type { Registry } from './registry.ts'
import type { Exchange } from './request/exchange.ts'
import type { AdapterSegment, ParsedPath } from './request/url-path.ts'
import type { MethodTable, Resource, ResourceRoot } from './resource.ts'
import { writeResource } from './resource-answer.ts'
import type { Services } from './services.ts'
import { typeNotFound } from './type-not-found.ts'

export const adapterNotFound = defineProblem(
  'adapterNotFound',
  'notFound',
  (of: { name: string; path: string; type: string }) => `Service ${of.name} not found for object: ${of.path} of type ${of.type}`,
)

export const adapterMismatch = defineProblem(
  'adapterMismatch',
  'invalid',
  (of: { name: string; type: string }) => `Adapter '${of.name}' cannot be applied to resource of type ${of.type}`,
)

export const placeNotFound = defineProblem(
  'placeNotFound',
  'notFound',
  (of: { adapter: string; tail: string }) => `There is nothing at @${of.adapter}/${of.tail}.`,
)

const typeNames: { readonly [kind in Resource['kind']]: string } = {
  root: 'Root',
  document: 'Document',
  documents: 'Documents',
  blob: 'Blob',
  user: 'User',
  group: 'Group',
  entities: 'Entities',
}

/** Answers a request to a resource: the path's own target, or what its adapters make of it one after another. */
export async function answerResource(registry: Registry, exchange: Exchange, method: string, path: ParsedPath): Promise<Answer> {
  const chain = openChain(registry, exchange.services, path)
  if (path.adapters.length === 0) {
    const { root, resolveTarget: resolve } = chain
    return await callMethod(root?.methods ?? {}, method, exchange, (sent) => ({ exchange, resolve, sent }))
  }
  const adapters = await readAdapters(registry, exchange, chain, path)
  const last = path.adapters.length - 1
  const adapter = adapters[last]
  const call = path.adapters[last]
  if (adapter === undefined || call === undefined) throw typeNotFound({ segment: path.adapters[0]?.name ?? '' })
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && adapter.resolve !== undefined && !isBelow(adapter, call.tail)) {
    return exchange.read(async (session) =>
      writeResource(exchange, session, await fold(exchange, chain, adapters, path, session)),
    )
  }
  const resolve = async (session: Session) => {
    const resource = await fold(exchange, chain, adapters.slice(0, last), path, session)
    requireAccepted(adapter, resource)
    return resource
  }
  return answerTargetFirst(exchange, resolve, (resolve) =>
    callMethod(methodsOf(adapter, call.tail), method, exchange, (sent) => ({ exchange, tail: call.tail, resolve, sent })),
  )
}

/** What else is wrong with a call is told only to those for whom its target is there. */
async function answerTargetFirst(
  exchange: Exchange,
  resolve: (session: Session) => Promise<Resource>,
  answer: (resolve: (session: Session) => Promise<Resource>) => Promise<Answer>,
): Promise<Answer> {
  let isResolved = false
  try {
    return await answer((session) => {
      isResolved = true
      return resolve(session)
    })
  } catch (error) {
    if (!isResolved && error instanceof Problem) await exchange.read(resolve)
    throw error
  }
}

/** Tells the store what the path will be resolved to as soon as it is known who asks. */
export function expectResource(registry: Registry, { store }: Repository, path: ParsedPath): void {
  const [own, ...rest] = path.segments
  if (own !== undefined) registry.resourceRoots.get(own.text)?.expect?.(store.reader.documents, rest)
}

/** The methods that a path answers, for `OPTIONS` and `Allow`. */
export function allowedMethods(registry: Registry, path: ParsedPath): readonly string[] {
  const last = path.adapters.at(-1)
  const adapter = last && registry.adapters.get(last.name)
  const methods = last === undefined ? findRoot(registry, path)?.methods : adapter && methodsOf(adapter, last.tail)
  return namesOf(methods ?? {})
}

interface Chain {
  readonly root: ResourceRoot | undefined
  resolveTarget(session: Session): Promise<Resource>
}

function openChain(registry: Registry, services: Services, path: ParsedPath): Chain {
  const root = findRoot(registry, path)
  const [own, ...rest] = path.segments
  if (own === undefined || root === undefined) return { root, resolveTarget: async () => ({ kind: 'root' }) }
  return { root, resolveTarget: (session) => root.resolve(session, own, rest, services) }
}

/** Undefined for the API itself. @throws typeNotFound */
function findRoot({ resourceRoots }: Registry, { segments: [own] }: ParsedPath): ResourceRoot | undefined {
  const root = own && resourceRoots.get(own.text)
  if (own !== undefined && root === undefined) throw typeNotFound({ segment: own.text })
  return root
}

/** The target comes first: a caller who may not read it does not learn which adapters there are. */
async function readAdapters(
  { adapters }: Registry,
  exchange: Exchange,
  chain: Chain,
  path: ParsedPath,
): Promise<readonly Adapter[]> {
  const unknown = path.adapters.find(({ name }) => !adapters.has(name))
  if (unknown !== undefined) {
    const target = await exchange.read((session) => chain.resolveTarget(session))
    throw adapterNotFound({ name: unknown.name, path: exchange.request.rawPath, type: typeNames[target.kind] })
  }
  return path.adapters.flatMap(({ name }) => adapters.get(name) ?? [])
}

async function fold(
  exchange: Exchange,
  chain: Chain,
  adapters: readonly Adapter[],
  path: ParsedPath,
  session: Session,
): Promise<Resource> {
  let resource = await chain.resolveTarget(session)
  for (const [index, adapter] of adapters.entries()) {
    requireAccepted(adapter, resource)
    const { tail } = path.adapters[index] as AdapterSegment
    if (adapter.resolve === undefined)
      throw adapterMismatch({ name: path.adapters[index + 1]?.name ?? '', type: `@${adapter.name}` })
    resource = await adapter.resolve({ session, exchange, resource, tail, sent: new DeclaredInput(adapter, exchange.request) })
  }
  return resource
}

function requireAccepted(adapter: Adapter, resource: Resource): void {
  if (!adapter.accepts.includes(resource.kind)) throw adapterMismatch({ name: adapter.name, type: typeNames[resource.kind] })
}

function isBelow({ below }: Adapter, tail: readonly string[]): boolean {
  return below !== undefined && tail.length > 0
}

/** @throws placeNotFound */
function methodsOf(adapter: Adapter, tail: readonly string[]): MethodTable<AdapterMethodCall> {
  const methods = findMethodsAt(adapter, tail)
  if (methods === undefined) throw placeNotFound({ adapter: adapter.name, tail: tail.join('/') })
  if (adapter.resolve === undefined || isBelow(adapter, tail)) return methods
  const read = {
    summary: adapter.summary,
    answers: {},
    handle: () => Promise.reject(methodNotAllowed({ method: 'GET', allowed: [] })),
  }
  return { GET: read, ...methods }
}

function callMethod<Call>(
  methods: MethodTable<Call>,
  method: string,
  { request }: Exchange,
  callWith: (sent: Sent) => Call,
): Promise<Answer> {
  const entry = methods[(method === 'HEAD' ? 'GET' : method) as keyof typeof methods]
  if (entry === undefined) throw methodNotAllowed({ method, allowed: namesOf(methods) })
  return entry.handle(callWith(new DeclaredInput(entry, request)))
}

function namesOf(methods: MethodTable<never>): readonly string[] {
  return withImpliedMethods(Object.keys(methods))
}
