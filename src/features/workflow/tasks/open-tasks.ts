import { findItems, plainValue } from '../../../automation/expressions/operand.ts'
import type { Value } from '../../../automation/values/value.ts'
import { type IsoDate, parseIsoDate } from '../../../base/iso-date.ts'
import type { Document } from '../../../model/document.ts'
import { titleOf } from '../../../model/document.ts'
import { listParents, type OpenRoute } from '../instance/open-route.ts'
import { behindRoute, type KnowingPeople, passedRight } from '../instance/passed-rights.ts'
import { evaluated, type RouteEnvironment, type RoutePlace } from '../instance/route-context.ts'
import {
  attachedIdsOf,
  initiatorOf,
  nodeIdOf,
  type TaskRow,
  taskRows,
  textAt,
  textsAt,
  withTaskRows,
} from '../instance/route-documents.ts'
import { tellOfTask, tellOnDocuments } from '../instance/route-events.ts'
import { hasInitiator, type TaskPeople, withoutTaskRights, withParticipants, withTaskRights } from '../instance/route-rights.ts'
import { notAssignable, notDatable } from '../instance/workflow-problems.ts'
import { knownAmong, requireAskable } from './asked-people.ts'
import { closeTask, createTask, type NewTask, openedState } from './task-documents.ts'

/** Makes the tasks of a node that begins to wait: one for each assignee, or one for all (contract: workflow 7.4). */
export async function openTasks(environment: RouteEnvironment, open: OpenRoute, nodeId: string): Promise<void> {
  const place = { node: open.node(nodeId), nodeState: 'running_input' }
  const assignees = await assigneesOf(environment, open, place)
  requireAskable(assignees, attachedIdsOf(open.route).length)
  const given = await entitledAmong(environment, open, assignees)
  const dueDate = await dueDateOf(environment, open, place)
  open.changeNode(nodeId, { 'rnode:taskDueDate': dueDate })
  const isPerAssignee = place.node.properties['rnode:hasMultipleTasks'] === true
  const groups = isPerAssignee ? assignees.map((one) => [one]) : [assignees]
  const rows: TaskRow[] = []
  for (const actors of groups) {
    const task = await openTask(environment, open, nodeId, { actors, delegates: [], given }, dueDate)
    rows.push({ taskDocId: task.id, actor: null, comment: null, status: null, ended: false })
  }
  open.setNode(withTaskRows(open.node(nodeId), rows))
  open.planRights(open.route.id, (acls) => withParticipants(acls, given))
}

/** Those whom the task gives rights: not who only has the name of somebody that started the instance, or was named in it, and is gone. */
async function entitledAmong(
  { services: { principals } }: RouteEnvironment,
  open: OpenRoute,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const { session, route } = open
  const known = new Set(await knownAmong(session, names))
  const initiator = initiatorOf(route)
  if (initiator !== undefined && !hasInitiator(route.acls, initiator)) known.delete(initiator)
  const namedBefore = [...known].filter((name) => !open.isNamedHere(name))
  if (namedBefore.length === 0) return known
  return known.difference(await principals.freedSince(namedBefore, await beginningOf(open)))
}

/** Nobody notes when a name came into a variable; what another workflow hands on may have been there when that began. */
async function beginningOf({ session, route }: OpenRoute): Promise<IsoDate | undefined> {
  return textAt((await listParents(session, route)).at(-1) ?? route, 'dc:created')
}

async function openTask(
  environment: RouteEnvironment,
  open: OpenRoute,
  nodeId: string,
  people: TaskPeople,
  dueDate: string,
): Promise<Document> {
  const node = open.node(nodeId)
  const [first] = await open.attached()
  const task = await createTask(open.session, {
    ...taskOf(open.route, node),
    people,
    dueDate,
    variables: taskVariablesOf(open.route, node, first),
  })
  await grantOnDocuments(environment, open, node, task, people)
  tellOfTask(open, 'afterWorkflowTaskCreated', task, null, { actors: people.actors })
  await tellOnDocuments(open, 'workflowTaskAssigned', { task, recipients: people.actors })
  return task
}

/** What the node says of it. */
function taskOf(route: Document, node: Document): Omit<NewTask, 'people' | 'dueDate' | 'variables'> {
  const type = textAt(node, 'rnode:taskDocType')
  const nodeId = nodeIdOf(node)
  return {
    type: type === undefined || type === 'TaskDoc' ? 'RoutingTask' : type,
    segment: nodeId,
    name: titleOf(node),
    directive: textAt(node, 'rnode:taskDirective') ?? null,
    description: textAt(node, 'rnode:taskDescription') ?? textAt(node, 'dc:description') ?? null,
    targets: attachedIdsOf(route),
    processId: route.id,
    nodeId,
  }
}

function taskVariablesOf(route: Document, node: Document, first: Document | undefined): NewTask['variables'] {
  const directive = textAt(node, 'rnode:taskDirective')
  const template = textAt(node, 'rnode:taskNotificationTemplate')
  const ofDocument = first && { documentId: first.id, documentRepositoryName: first.repository }
  return Object.entries({
    ...ofDocument,
    ...(directive !== undefined && { directive }),
    createdFromTaskService: 'true',
    routeInstanceDocId: route.id,
    nodeId: nodeIdOf(node),
    'document.routing.step': node.id,
    ...(template === undefined ? { disableNotificationService: 'true' } : { taskNotificationTemplate: template }),
  })
}

/** What the actors and delegates of a task may do with the documents, instead of what they might before. */
export async function grantOnDocuments(
  environment: KnowingPeople,
  open: OpenRoute,
  node: Document,
  task: Document,
  people: TaskPeople,
): Promise<void> {
  const wanted = textAt(node, 'rnode:taskAssigneesPermission')
  const documents = await open.attached()
  if (wanted === undefined || documents.length === 0) return
  const behind = await behindRoute(environment, open)
  for (const document of documents) {
    const right = await passedRight(behind, document, wanted)
    open.planRights(document.id, (acls) => withTaskRights(acls, { taskId: task.id, right, ...people }))
  }
}

export function takeFromDocuments(open: OpenRoute, taskId: string): void {
  for (const id of attachedIdsOf(open.route)) open.planRights(id, (acls) => withoutTaskRights(acls, taskId))
}

/** Closes what is still open of a node, without anybody having done it. */
export async function cancelTasks(open: OpenRoute, nodeId: string): Promise<void> {
  const rows: TaskRow[] = []
  for (const row of taskRows(open.node(nodeId))) {
    rows.push(row.ended ? row : { ...row, ended: true, status: null })
    if (row.ended) continue
    const task = await open.session.tx.documents.findForUpdate(row.taskDocId)
    if (task?.state === openedState) await closeTask(open.session, task, 'cancelled')
    takeFromDocuments(open, row.taskDocId)
  }
  open.setNode(withTaskRows(open.node(nodeId), rows))
}

async function assigneesOf(environment: RouteEnvironment, open: OpenRoute, place: RoutePlace): Promise<readonly string[]> {
  const expression = textAt(place.node, 'rnode:taskAssigneesExpr')
  const computed = expression === undefined ? [] : await computedAssignees(environment, open, place, expression)
  return [...new Set([...computed, ...textsAt(place.node, 'rnode:taskAssignees')])]
}

/** @throws notAssignable for nothing, and for whatever is no name and no list of them */
async function computedAssignees(
  environment: RouteEnvironment,
  open: OpenRoute,
  place: RoutePlace,
  expression: string,
): Promise<readonly string[]> {
  const node = nodeIdOf(place.node)
  const value = plainValue(await evaluated(environment, await scopeOf(open), place, expression))
  const items = value.kind === 'string' ? [value] : (findItems(value) ?? [])
  const names = items.flatMap((item) => (item.kind === 'string' && item.text.trim() !== '' ? [item.text] : []))
  if (names.length < items.length) throw notAssignable({ node, reason: `${expression} gives something that is no name` })
  if (value.kind !== 'string' && !isList(value))
    throw notAssignable({ node, reason: `${expression} gives ${value.kind === 'nothing' ? 'nothing' : 'no names'}` })
  return names
}

function isList({ kind }: Value): boolean {
  return kind === 'list' || kind === 'users'
}

/** Now where nothing is said. @throws notDatable */
async function dueDateOf(environment: RouteEnvironment, open: OpenRoute, place: RoutePlace): Promise<string> {
  const expression = textAt(place.node, 'rnode:taskDueDateExpr')
  if (expression === undefined) return open.session.now
  const value = plainValue(await evaluated(environment, await scopeOf(open), place, expression))
  const date = value.kind === 'date' ? value.date : value.kind === 'string' ? parseIsoDate(value.text) : undefined
  if (date === undefined) throw notDatable({ node: nodeIdOf(place.node) })
  return date
}

export async function scopeOf(open: OpenRoute) {
  return { session: open.session, route: open.route, documents: await open.attached() }
}
