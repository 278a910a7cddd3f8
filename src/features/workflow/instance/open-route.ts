import { memoised } from '../../../base/cache/memo.ts'
import { insertInFolder } from '../../../core/documents/insert-in-folder.ts'
import { store } from '../../../core/documents/read-for-update.ts'
import { requireValid, withCleanHtml } from '../../../core/documents/require-valid.ts'
import { principalIn } from '../../../core/references.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { joinPath } from '../../../model/path-segment.ts'
import { changedNames, type Properties, type PropertyValue } from '../../../model/properties/property.ts'
import { texts } from '../../../model/properties/property-texts.ts'
import type { Acl } from '../../../model/rights/acl.ts'
import { requireBoundedGrowth, sameAcls } from '../../../model/rights/acl-change.ts'
import type { Transaction } from '../../../store/store.ts'
import { drawGraph, type RouteGraph } from '../engine/graph.ts'
import type { RouteState } from '../engine/route-state.ts'
import { attachedIdsOf, drawnNode, nodeIdOf, stateOfNode, textAt, withNodeState } from './route-documents.ts'
import { instancesPath, modelsPath, standsBelow } from './route-roots.ts'
import { nodeVariables, requireBoundedVariables, workflowVariables } from './variables.ts'
import { workflowNotFound } from './workflow-problems.ts'

/** What becomes of the own rights of a document. */
type AclPlan = (acls: readonly Acl[]) => readonly Acl[]

/**
 * An instance with its nodes while a transaction works on it. Changes are gathered and written once, when all is decided: a request
 * goes through several nodes and writes each row one time at most.
 */
export class OpenRoute {
  /** Acts for the server, on behalf of whoever asked. */
  readonly session: WriteSession
  /** Who acts has chosen whom to ask: what comes of a choice is told to who made it, and not to who only lets the workflow go on. */
  isChosenHere = false
  readonly #namedHere = new Set<string>()
  /** How many of its chains run now, each inside of the one before. */
  chainsRunning = 0
  readonly #stored = new Map<DocumentId, Document>()
  readonly #nodes = new Map<string, Document>()
  /** Of a new instance, whose rows are not there yet. */
  readonly #folder: Document | undefined
  readonly #rights = new Map<DocumentId, AclPlan[]>()
  #told: (() => Promise<void>)[] = []
  #route: Document
  #graph: RouteGraph | undefined
  #attached: readonly Document[] | undefined

  constructor(session: WriteSession, route: Document, nodes: readonly Document[], folder?: Document) {
    this.session = session
    this.#route = route
    this.#folder = folder
    for (const node of nodes) this.#nodes.set(nodeIdOf(node), node)
    if (folder === undefined) for (const document of [route, ...nodes]) this.#stored.set(document.id, document)
  }

  get route(): Document {
    return this.#route
  }

  set route(changed: Document) {
    this.#route = changed
  }

  get nodes(): readonly Document[] {
    return [...this.#nodes.values()]
  }

  get graph(): RouteGraph {
    this.#graph ??= drawGraph(this.nodes.map(drawnNode))
    return this.#graph
  }

  get state(): RouteState {
    return new Map([...this.#nodes].map(([id, node]) => [id, stateOfNode(node)]))
  }

  set state(state: RouteState) {
    for (const [id, one] of state) {
      const node = this.#nodes.get(id)
      if (node !== undefined) this.#nodes.set(id, withNodeState(node, one))
    }
  }

  findNode(id: string): Document | undefined {
    return this.#nodes.get(id)
  }

  /** For one that the graph names. */
  node(id: string): Document {
    const node = this.#nodes.get(id)
    if (node === undefined) throw new Error(`A workflow has no node ${id}.`)
    return node
  }

  setNode(node: Document): void {
    this.#nodes.set(nodeIdOf(node), node)
  }

  changeNode(id: string, properties: Properties): void {
    const node = this.node(id)
    this.setNode({ ...node, properties: { ...node.properties, ...properties } })
  }

  changeRoute(properties: Properties): void {
    this.#route = { ...this.#route, properties: { ...this.#route.properties, ...properties } }
  }

  /** Notes the names that somebody puts into variables: those that stood there before mean whoever had them then. */
  noteNamed(before: Properties, chosen: Properties): void {
    for (const [variable, value] of Object.entries(chosen)) {
      const known = new Set(namesIn(before[variable]))
      for (const name of namesIn(value)) if (!known.has(name)) this.#namedHere.add(name)
    }
  }

  /** Whether it was named in this transaction, so that whoever has the name now is meant. */
  isNamedHere(name: string): boolean {
    return this.#namedHere.has(name)
  }

  /** Those of the attached documents that are there, as they are now. */
  async attached(): Promise<readonly Document[]> {
    this.#attached ??= await this.session.tx.documents.findAll(attachedIdsOf(this.#route))
    return this.#attached
  }

  /** After a chain, which may have changed them. */
  forgetAttached(): void {
    this.#attached = undefined
  }

  /** Changes the rights on a document once all is decided. */
  planRights(id: DocumentId, plan: AclPlan): void {
    this.#rights.set(id, [...(this.#rights.get(id) ?? []), plan])
  }

  /** Tells of something when the rows are written that it is about. */
  tell(announcement: () => Promise<void>): void {
    this.#told.push(announcement)
  }

  /** Writes what has changed, then tells of it. */
  async write(): Promise<void> {
    this.#route = await withCleanHtml(this.session, this.#route, this.#stored.get(this.#route.id))
    await (this.#isNew ? this.#insert() : this.#update())
    await this.#writeRights()
    const told = this.#told
    this.#told = []
    for (const announcement of told) await announcement()
  }

  get #isNew(): boolean {
    return this.#folder !== undefined && !this.#stored.has(this.#route.id)
  }

  async #insert(): Promise<void> {
    const folder = this.#folder as Document
    const plans = this.#rights.get(this.#route.id) ?? []
    this.#rights.delete(this.#route.id)
    const acls = plans.reduce((now, plan) => plan(now), this.#route.acls)
    requireBoundedGrowth([], acls)
    for (const document of [this.#route, ...this.nodes]) {
      this.#requireBounded(document, {})
      await requireValid(this.session, document, {})
    }
    this.#route = await insertInFolder(this.session, folder, { ...this.#route, acls })
    this.#stored.set(this.#route.id, this.#route)
    const { id, path, acpId } = this.#route
    const nodes = this.nodes.map((node) => ({ ...node, parentId: id, path: joinPath(path ?? '', node.name), acpId }))
    await this.session.tx.documents.insertMany(nodes)
    for (const node of nodes) {
      this.#stored.set(node.id, node)
      this.setNode(node)
    }
  }

  async #update(): Promise<void> {
    this.#route = await this.#updated(this.#route)
    for (const node of this.nodes) this.setNode(await this.#updated(node))
  }

  async #updated(document: Document): Promise<Document> {
    const before = this.#stored.get(document.id)
    if (before === undefined || before === document) return document
    const changed = changedNames(before.properties, document.properties)
    if (changed.size === 0 && before.state === document.state) return before
    this.#requireBounded(document, before.properties)
    await requireValid(this.session, document, {}, changed)
    const stored = await store(this.session, before, document)
    this.#stored.set(document.id, stored)
    return stored
  }

  #requireBounded(document: Document, before: Properties): void {
    const { model } = this.session
    const isNode = document.id !== this.#route.id
    const variables = isNode ? nodeVariables(model, document) : workflowVariables(model, document)
    if (variables.length === 0) return
    const names = variables.map(({ name }) => name)
    const what = isNode ? `the node ${nodeIdOf(document)}` : 'the workflow'
    requireBoundedVariables(what, names, before, document.properties)
  }

  /** In the order of ids: of two transactions that change the rights on the same documents none waits for the other in a circle. */
  async #writeRights(): Promise<void> {
    const plans = [...this.#rights].sort(([one], [other]) => (one < other ? -1 : 1))
    this.#rights.clear()
    for (const [id, changes] of plans) {
      const document = await this.session.tx.documents.findForUpdate(id)
      // A version has the rights of its live document.
      if (document === undefined || document.isVersion) continue
      const acls = changes.reduce((now, plan) => plan(now), document.acls)
      if (sameAcls(document.acls, acls)) continue
      requireBoundedGrowth(document.acls, acls)
      await this.session.tx.acps.replaceAcls(document, acls)
    }
    this.#attached = undefined
  }
}

function namesIn(value: PropertyValue | undefined): readonly string[] {
  return (typeof value === 'string' ? [value] : texts(value)).map(principalIn)
}

// Of one transaction: a chain may ask for the instance that it is run for, and both are to see the same.
const routesIn = memoised((_: Transaction) => new Map<DocumentId, OpenRoute>())

/** Makes an instance known to whatever else the transaction does. */
export function keepOpen(route: OpenRoute): OpenRoute {
  routesIn(route.session.tx).set(route.route.id, route)
  return route
}

export function findOpenRoute(session: WriteSession, id: DocumentId): OpenRoute | undefined {
  return routesIn(session.tx).get(id)
}

/** How deep the transaction is in chains of workflows, whatever these start or complete. */
export function chainDepth({ tx }: WriteSession): number {
  return routesIn(tx)
    .values()
    .reduce((depth, { chainsRunning }) => depth + chainsRunning, 0)
}

/** Whether the document is a model or an instance of a workflow: one that stands elsewhere nobody has begun. */
export function isRoute(session: Pick<WriteSession, 'model'>, document: Document): boolean {
  const isKept = standsBelow(document, instancesPath) || isModel(document)
  return isKept && session.model.shapeOf(document).hasFacet('DocumentRoute')
}

/** Of those, whether it is one that others are made after. */
export function isModel(route: Document): boolean {
  return standsBelow(route, modelsPath)
}

// When the last of them ends, all that began it go on in the same request.
export const maxLevels = 10

/** The instances that began this one, from the nearest on; of more than there may be, so many. */
export async function listParents(session: WriteSession, route: Document): Promise<readonly Document[]> {
  const parents: Document[] = []
  for (let one = await findParent(session, route); one !== undefined; one = await findParent(session, one)) {
    parents.push(one)
    if (parents.length === maxLevels) break
  }
  return parents
}

async function findParent(session: WriteSession, route: Document): Promise<Document | undefined> {
  const id = textAt(route, 'docri:parentRouteInstanceId')
  return id === undefined ? undefined : (findOpenRoute(session, id)?.route ?? session.tx.documents.find(id))
}

// More than any workflow has that people could read.
const maxNodes = 1_000

/** Locks an instance, so that one request at a time works on it, and reads it with its nodes. @throws workflowNotFound */
export async function openRoute(session: WriteSession, id: DocumentId): Promise<OpenRoute> {
  const open = findOpenRoute(session, id)
  if (open !== undefined) return open
  return openLocked(session, id, await session.tx.documents.findForUpdate(id))
}

/** The same for one that was just locked. @throws workflowNotFound */
export async function openLocked(session: WriteSession, id: DocumentId, route: Document | undefined): Promise<OpenRoute> {
  if (route === undefined || !isRoute(session, route)) throw workflowNotFound({ id })
  return findOpenRoute(session, id) ?? keepOpen(new OpenRoute(session.asSystem(), route, await listNodes(session, route)))
}

/** The nodes of a model or instance, in their order. */
export async function listNodes({ reader }: Pick<WriteSession, 'reader'>, route: Document): Promise<readonly Document[]> {
  // What people say of it lies below it as well, and is no child that counts.
  const children = await reader.documents.listChildren({ parentId: route.id }, [], maxNodes, 0)
  return children.filter(({ type }) => type === 'RouteNode').toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
}
