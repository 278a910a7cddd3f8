import { defineProblem } from '../../../base/problem.ts'
import { requireValid } from '../../../core/documents/require-valid.ts'
import type { WriteSession } from '../../../core/session.ts'
import { shortRemark } from '../../../core/short-text.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { JsonObject } from '../../../model/properties/coercion.ts'
import type { Properties } from '../../../model/properties/property.ts'
import { actingName } from '../../../model/rights/principal.ts'
import type { PropertyDefinition } from '../../../model/shape.ts'
import { storableText } from '../../../store/storable-text.ts'
import { canNamePeople, isInitiator, requireChooser } from '../instance/choose-people.ts'
import { type OpenRoute, openLocked } from '../instance/open-route.ts'
import type { RouteEnvironment } from '../instance/route-context.ts'
import { itemsAt, nodeIdOf, taskRows, textAt, textsAt, withTaskRows } from '../instance/route-documents.ts'
import { tellOfTask, tellOnDocuments } from '../instance/route-events.ts'
import { runRoute } from '../instance/run-route.ts'
import { childRoutes } from '../instance/start-workflow.ts'
import { exposedVariables, nodeVariables, readSentVariables } from '../instance/variables.ts'
import { notYourTask, taskOfNoNode, taskOver, workflowOver } from '../instance/workflow-problems.ts'
import { takeFromDocuments } from './open-tasks.ts'
import { endAlone } from './stand-alone-tasks.ts'
import { isActor, isDelegate, mayComplete, readTask } from './task-access.ts'
import { closeTask, isTaskOf, openedState, withComment, withTaskVariable } from './task-documents.ts'

export interface Completion {
  /** The name of a button; none is asked for, the transitions decide. */
  readonly action: string
  readonly comment: string | undefined
  /** What clients send: names of either kind. */
  readonly variables: JsonObject
  /** Names of one kind alone, as the operation has them. */
  readonly ofNode?: JsonObject
  readonly ofWorkflow?: JsonObject
  readonly isLegacy: boolean
}

export const actionTooLong = defineProblem(
  'actionTooLong',
  'invalid',
  (of: { max: number }) => `The action has more than ${of.max} characters: it is the name of a button of the task.`,
)

const longestAction = 200

/**
 * Completes a task, and lets its workflow go on when it was the last of its node: all or nothing, and one at a time for each instance
 * (contract: workflow 2.6 and 7.4).
 * @throws taskNotFound, privilegeMissing, notYourTask, taskOver, documentsUnreadable, notDeserialisable, validationFailed, noWayOn …
 */
export async function completeTask(
  environment: RouteEnvironment,
  session: WriteSession,
  id: DocumentId,
  completion: Completion,
): Promise<Document> {
  const seen = await readTask(session, id)
  if (completion.action.length > longestAction) throw actionTooLong({ max: longestAction })
  storableText(completion.action, 'The action')
  const processId = textAt(seen, 'nt:processId')
  // The instance comes first: whoever waited for it looks at the task as it is then.
  const route = processId === undefined ? undefined : await session.tx.documents.findForUpdate(processId)
  const task = (await session.tx.documents.findForUpdate(id)) ?? seen
  if (!mayComplete(session.principal, task)) throw notYourTask({ id, principal: session.principal.name })
  if (task.state !== openedState) throw taskOver({ id, state: task.state })
  if (route === undefined) return endAlone(environment, session, task, completion)
  const open = await openLocked(session, route.id, route)
  if (open.route.state !== 'running') throw workflowOver({ id: route.id, state: open.route.state })
  const node = open.findNode(textAt(task, 'nt:type') ?? '')
  if (node === undefined) return endAlone(environment, session, task, completion)
  if (!isTaskOf(node, task)) throw taskOfNoNode({ id, node: nodeIdOf(node) })
  const told = await applyVariables(environment, session, open, node, completion)
  const ended = await endTask(session, open, task, completion, told.comment)
  await goOn(environment, open, ended, completion, told.sentComment)
  await open.write()
  return ended
}

/** Sets what was sent of the node's variables, and of those of the workflow that the node exposes; anything else is ignored. */
async function applyVariables(
  environment: RouteEnvironment,
  session: WriteSession,
  open: OpenRoute,
  node: Document,
  { variables, ofNode, ofWorkflow, comment, isLegacy }: Completion,
) {
  const { model } = session
  const reading = { host: environment.host, session }
  const read = (document: Document, known: readonly PropertyDefinition[], sent: JsonObject) =>
    readSentVariables(reading, document, known, { sent, isLegacy })
  const own = await read(node, nodeVariables(model, node), { ...variables, ...ofNode })
  const exposed = exposedVariables(model, open.route, node)
  const global = await read(open.route, exposed, { ...variables, ...ofWorkflow })
  const mayChoose = exposed.some(({ name, field }) => Object.hasOwn(global, name) && canNamePeople(field))
  // Who started it has chosen before whom it asks next, and may be among them.
  const hasChosen = isInitiator(session.principal, open.route)
  if (mayChoose || hasChosen) await requireChooser(session, await open.attached())
  open.isChosenHere ||= mayChoose
  open.noteNamed(node.properties, own)
  open.noteNamed(open.route.properties, global)
  open.changeNode(textAt(node, 'rnode:nodeId') ?? node.name, own)
  open.changeRoute(global)
  await requireValidValues(session, open.node(textAt(node, 'rnode:nodeId') ?? node.name), own)
  await requireValidValues(session, open.route, global)
  const inVariables = { ...variables, ...ofNode }['comment']
  const sent = typeof inVariables === 'string' ? inVariables : undefined
  return { comment: comment !== undefined && comment.trim() !== '' ? comment : sent, sentComment: sent !== undefined }
}

async function requireValidValues(session: WriteSession, document: Document, changed: Properties): Promise<void> {
  const names = new Set(Object.keys(changed))
  if (names.size > 0) await requireValid(session, document, {}, names)
}

async function endTask(
  session: WriteSession,
  open: OpenRoute,
  task: Document,
  { action }: Completion,
  comment: string | undefined,
): Promise<Document> {
  const acting = open.session
  const remarks = comment === undefined || comment.trim() === '' ? {} : withComment(acting, task, comment)
  const ended = await closeTask(acting, task, 'ended', { ...remarks, ...withTaskVariable(task, 'validated', 'false') })
  takeFromDocuments(open, task.id)
  const more = { workflowTaskCompletionAction: action }
  const news = { task: ended, comment: comment ?? null, recipients: textsAt(task, 'nt:actors'), more }
  await tellOnDocuments(open, 'workflowTaskCompleted', news)
  const { principal } = session
  if (
    isDelegate(principal, task) &&
    !isActor(principal, { ...task, properties: { ...task.properties, 'nt:delegatedActors': [] } })
  ) {
    const said = `${actingName(principal)} completed it for ${textsAt(task, 'nt:actors').join(', ')}, who had delegated it`
    await tellOnDocuments(open, 'workflowTaskCompleted', { ...news, comment: shortRemark(said) })
  }
  tellOfTask(open, 'afterWorkflowTaskEnded', ended, comment ?? null, {
    action,
    data: { button: action, comment: comment ?? null },
  })
  return ended
}

/** Notes on the node what became of its task; after the last one the workflow goes on. */
async function goOn(
  environment: RouteEnvironment,
  open: OpenRoute,
  task: Document,
  { action }: Completion,
  sentComment: boolean,
): Promise<void> {
  const nodeId = textAt(task, 'nt:type') ?? ''
  const actor = actingName(open.session.principal)
  const last = itemsAt(task, 'nt:taskComments').at(-1)
  const comment = last === undefined ? '' : (textAt({ properties: last }, 'text') ?? '')
  const rows = taskRows(open.node(nodeId)).map((row) =>
    row.taskDocId === task.id ? { ...row, actor, comment, status: action, ended: true } : row,
  )
  open.setNode(withTaskRows(open.node(nodeId), rows))
  open.changeNode(nodeId, { 'rnode:button': action, 'rnode:lastActor': actor })
  if (rows.every(({ ended }) => ended)) {
    return runRoute(environment, open, { kind: 'resume', node: nodeId, action }, childRoutes)
  }
  // The next assignee begins with an empty remark.
  const own = nodeVariables(open.session.model, open.node(nodeId)).find(({ field }) => field.name === 'comment')
  if (sentComment && own !== undefined) open.changeNode(nodeId, { [own.name]: '' })
}
