import { findText } from '../../../automation/values/convert-value.ts'
import { jsonOfValue } from '../../../automation/values/read-sent-properties.ts'
import { newId } from '../../../base/ids.ts'
import type { Json } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { lockRowsInOrder } from '../../../core/documents/lock-rows-in-order.ts'
import { documentNotFound, readDocument } from '../../../core/documents/read-document.ts'
import { requireValid } from '../../../core/documents/require-valid.ts'
import { hasLastingPermission } from '../../../core/documents/rights/lasting-permission.ts'
import { requirePermission } from '../../../core/permissions.ts'
import type { Session, WriteSession } from '../../../core/session.ts'
import { type Document, type DocumentId, pristine } from '../../../model/document.ts'
import type { Properties, PropertyValue } from '../../../model/properties/property.ts'
import { actingName } from '../../../model/rights/principal.ts'
import { workflowSettings } from '../settings.ts'
import { isKeptByEngine } from '../workflow-rights.ts'
import { isAvailable, notAvailable } from './availability.ts'
import { cancelRoute } from './cancel-workflow.ts'
import { mayReadTarget } from './choose-people.ts'
import { isRoute, keepOpen, listNodes, listParents, maxLevels, OpenRoute } from './open-route.ts'
import type { RouteEnvironment } from './route-context.ts'
import { attachedIdsOf, itemsAt, modelNameOf, textAt } from './route-documents.ts'
import { tellOfRoute } from './route-events.ts'
import { initiatorAcls } from './route-rights.ts'
import { instancesFolder, modelsPath, nameIn } from './route-roots.ts'
import { type ChildRoutes, type RunProgress, runRoute, textFrom } from './run-route.ts'
import { readSentVariables, type SentVariables, workflowVariables } from './variables.ts'
import { modelNotFound } from './workflow-problems.ts'

export interface WorkflowStart {
  readonly modelName: string
  readonly attachedIds: readonly DocumentId[]
  readonly variables: SentVariables
  /** Left at its beginning, for somebody else to start. */
  readonly isLeftReady?: boolean
}

interface Parent {
  readonly open: OpenRoute
  readonly nodeId: string
  readonly progress: RunProgress
}

export const tooManyAttached = defineProblem(
  'tooManyAttached',
  'invalid',
  (of: { max: number }) => `A workflow is for ${of.max} documents at most. Start several.`,
)

export const notAttachable = defineProblem(
  'notAttachable',
  'invalid',
  (of: { id: string }) => `${of.id} is itself a document of workflows. Start a workflow on the documents that it is about.`,
)

export const targetUnreadable = defineProblem(
  'targetUnreadable',
  'forbidden',
  (of: { id: string }) =>
    `${of.id} is a proxy that shows a document of another place, which a workflow would change. It takes the right to read it there, and not just for a task.`,
)

export const readableForTask = defineProblem(
  'readableForTask',
  'forbidden',
  (of: { id: string }) =>
    `You may read ${of.id} only while a task about it is yours. A workflow could outlast that, and takes the right to read it for good.`,
)

export const nestedTooDeep = defineProblem(
  'nestedTooDeep',
  'failed',
  (of: { model: string; max: number }) =>
    `Execution is looping: workflows begin one another ${of.max} deep, and ${of.model} would begin one more. Let it begin none, or end before it.`,
)

// Each gets rights of its own with every task.
const maxAttached = 1_000

/** The model of that name, whoever asks. */
export async function findModel(session: Session, name: string): Promise<Document | undefined> {
  if (name === '' || name.includes('/')) return undefined
  const found = await session.reader.documents.findByPath(`${modelsPath}/${name}`)
  return found !== undefined && isRoute(session, found) && found.state === 'validated' ? found : undefined
}

/** @throws modelNotFound, or privilegeMissing for one that the caller may not read */
export async function readModel(session: Session, name: string): Promise<Document> {
  const model = await findModel(session, name)
  if (model === undefined) throw modelNotFound({ name })
  await requirePermission(session, model, 'Read')
  return model
}

/**
 * Starts a workflow for the caller on documents that the caller may read, and not just for a task: the engine gives rights on them to
 * others, and back to whoever starts it.
 * @throws modelNotFound, documentNotFound, privilegeMissing, notAttachable, readableForTask, targetUnreadable, tooManyAttached,
 * notAvailable
 */
export async function startWorkflow(
  environment: RouteEnvironment,
  session: WriteSession,
  wanted: WorkflowStart,
): Promise<OpenRoute> {
  const model = await readModel(session, wanted.modelName)
  const ids = [...new Set(wanted.attachedIds)]
  if (ids.length > maxAttached) throw tooManyAttached({ max: maxAttached })
  const { workflowEnforceAvailabilityFilter: isEnforced } = environment.services.valuesOf(workflowSettings)
  const attached: Document[] = []
  for (const id of ids) {
    const document = await readDocument(session, id)
    attached.push(document)
    if (isKeptByEngine(session, document)) throw notAttachable({ id })
    if (!(await hasLastingPermission(session, document, 'Read'))) throw readableForTask({ id })
    if (!(await mayReadTarget(session, document, hasLastingPermission))) throw targetUnreadable({ id })
    if (isEnforced && !(await isAvailable(environment, session, model, document)))
      throw notAvailable({ model: wanted.modelName, id })
  }
  await keepAttached(session, attached)
  const open = await begin(environment, session, model, { ...wanted, attachedIds: ids })
  await open.write()
  return open
}

/**
 * Who removes one of them meanwhile waits: the removal sees to the workflows and tasks that it finds, and would not find what is made now.
 * @throws documentNotFound
 */
export async function keepAttached(session: WriteSession, attached: readonly Document[]): Promise<void> {
  const there = await keepThere(session, attached)
  const gone = attached.find(({ id }) => !there.includes(id))
  if (gone !== undefined) throw documentNotFound({ reference: gone.id })
}

/** The same; gives those that are there. */
async function keepThere(session: WriteSession, documents: readonly Document[]): Promise<readonly DocumentId[]> {
  await lockRowsInOrder(session, documents)
  return (await session.tx.documents.findAll(documents.map(({ id }) => id))).map(({ id }) => id)
}

async function begin(
  environment: RouteEnvironment,
  session: WriteSession,
  model: Document,
  wanted: WorkflowStart,
  parent?: Parent,
): Promise<OpenRoute> {
  const open = await createInstance(session.asSystem(), model, wanted, parent)
  open.isChosenHere = parent?.open.isChosenHere ?? true
  await tellOfRoute(open, 'beforeRouteReady')
  await tellOfRoute(open, 'afterRouteReady')
  const variables = workflowVariables(session.model, open.route)
  const sent = await readSentVariables({ host: environment.host, session }, open.route, variables, wanted.variables)
  open.changeRoute(sent)
  await requireValid(session, open.route, {}, new Set(Object.keys(sent)))
  if (wanted.isLeftReady) return open
  await tellOfRoute(open, 'beforeRouteStart')
  open.route = { ...open.route, state: 'running' }
  await runRoute(environment, open, { kind: 'start' }, childRoutes, parent?.progress)
  await tellOfRoute(open, 'afterWorkflowStarted')
  return open
}

/** A copy of the model with its nodes, in memory. */
async function createInstance(
  session: WriteSession,
  model: Document,
  { attachedIds }: WorkflowStart,
  parent: Parent | undefined,
): Promise<OpenRoute> {
  const folder = await instancesFolder(session)
  const user = actingName(session.principal)
  const own: Properties = {
    'docri:initiator': user,
    'docri:modelId': model.id,
    'docri:participatingDocuments': attachedIds,
    'docri:parentRouteInstanceId': parent?.open.route.id ?? null,
    'docri:parentRouteNodeId': parent?.nodeId ?? null,
    'dc:created': session.now,
    'dc:creator': user,
    'dc:modified': session.now,
    'dc:lastContributor': user,
    'dc:contributors': [user],
  }
  const name = await nameIn(session, folder, model.name)
  const copied = copyOf(session, model)
  const route = { ...copied, name, acls: initiatorAcls(user), properties: { ...copied.properties, ...own } }
  const nodes = (await listNodes(session, model)).map((node) => ({ ...copyOf(session, node), position: node.position }))
  const open = keepOpen(new OpenRoute(session, route, nodes, folder))
  // Whoever starts it has the name now.
  open.noteNamed({}, { 'docri:initiator': user })
  return open
}

const schemasOfModels = ['dublincore', 'step_folder', 'document_route_instance', 'document_route_model', 'route_node']

/**
 * What a model is made of, and its variables. What features keep on any document that somebody may read, such as tags, is of the model
 * itself: whoever put it there has nothing to say about the workflows of others.
 */
function copyOf({ model }: Pick<Session, 'model'>, original: Document): Document {
  const { repository, name, type, acpId } = original
  const ofVariables = textAt(original, 'docri:variablesFacet') ?? textAt(original, 'rnode:variablesFacet') ?? ''
  const facets = original.facets.filter((facet) => facet === ofVariables)
  const schemas = new Set([...schemasOfModels, ...(model.facets.get(ofVariables)?.schemas ?? [])])
  const known = model.shapeOf({ type, facets }).properties
  const properties: { [name: string]: PropertyValue } = {}
  for (const name in original.properties) {
    if (schemas.has(known.get(name)?.schema.name ?? '')) properties[name] = original.properties[name] ?? null
  }
  const place = { parentId: null, path: null }
  return { ...pristine, repository, id: newId(), name, type, facets, properties, acpId, ...place, state: 'ready' }
}

/** @throws nestedTooDeep */
async function requireShallow({ session, route }: OpenRoute): Promise<void> {
  const levels = 1 + (await listParents(session, route)).length
  if (levels >= maxLevels) throw nestedTooDeep({ model: modelNameOf(route), max: maxLevels })
}

/** Begins the workflow of a node: on the same documents, with the variables that the node gives it. */
async function startChild(
  environment: RouteEnvironment,
  parent: OpenRoute,
  nodeId: string,
  progress: RunProgress,
): Promise<{ readonly isDone: boolean }> {
  const node = parent.node(nodeId)
  await requireShallow(parent)
  const name = await textFrom(environment, parent, nodeId, textAt(node, 'rnode:subRouteModelExpr') ?? '')
  const modelName = findText(name) ?? ''
  const model = await findModel(parent.session, modelName)
  if (model === undefined) throw modelNotFound({ name: modelName })
  const sent: { [name: string]: Json } = {}
  for (const item of itemsAt(node, 'rnode:subRouteVariables')) {
    const value = await textFrom(environment, parent, nodeId, textAt({ properties: item }, 'value') ?? '')
    sent[textAt({ properties: item }, 'key') ?? ''] = jsonOfValue(value) ?? null
  }
  const attachedIds = await keepThere(parent.session, await parent.session.tx.documents.findAll(attachedIdsOf(parent.route)))
  const wanted = { modelName, attachedIds, variables: { sent, isLegacy: false } }
  const child = await begin(environment, parent.session, model, wanted, { open: parent, nodeId, progress })
  await child.write()
  parent.changeNode(nodeId, { 'rnode:subRouteInstanceId': child.route.id })
  return { isDone: child.route.state === 'done' }
}

export const childRoutes: ChildRoutes = {
  start: startChild,
  cancel: (environment, open) => cancelRoute(environment, open, childRoutes),
}
