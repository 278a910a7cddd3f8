import { defineProblem } from '../../../base/problem.ts'
import { store } from '../../../core/documents/read-for-update.ts'
import { hasPermission } from '../../../core/permissions.ts'
import { isPowerUser } from '../../../core/principals/power-users.ts'
import { principalIn } from '../../../core/references.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { storableText } from '../../../store/storable-text.ts'
import { looksAfter, requireChooser } from '../instance/choose-people.ts'
import { type OpenRoute, openRoute } from '../instance/open-route.ts'
import type { KnowingPeople } from '../instance/passed-rights.ts'
import { nodeIdOf, textAt, textsAt } from '../instance/route-documents.ts'
import { tellOfTask, tellOnDocuments } from '../instance/route-events.ts'
import { type TaskPeople, taskAcls, withParticipants } from '../instance/route-rights.ts'
import { notYourTask, taskNotFound, taskOfNoNode, taskOver } from '../instance/workflow-problems.ts'
import { knownAmong, requireAskable } from './asked-people.ts'
import { grantOnDocuments } from './open-tasks.ts'
import { isActor } from './task-access.ts'
import { isTask, isTaskOf, openedState, withComment } from './task-documents.ts'

export const nobodyToAsk = defineProblem(
  'nobodyToAsk',
  'invalid',
  (of: { parameter: string }) => `Nobody is named. Send the ids of users or groups as ${of.parameter}, once for each.`,
)

export const notReassignable = defineProblem(
  'notReassignable',
  'forbidden',
  (of: { node: string }) => `Tasks of the node ${of.node} cannot be given to others.`,
)

export interface HandOver {
  readonly kind: 'reassign' | 'delegate'
  /** With or without `user:` or `group:` before them. */
  readonly names: readonly string[]
  readonly comment: string | undefined
}

/**
 * Gives an open task to others, or lets them do it as well (contract: workflow 2.7).
 * @throws taskNotFound, notYourTask, taskOver, notReassignable, documentsUnreadable, nobodyToAsk, tooManyToAsk, everybodyAsked
 */
export async function handOverTask(
  environment: KnowingPeople,
  session: WriteSession,
  id: DocumentId,
  { kind, names, comment }: HandOver,
): Promise<void> {
  const given = requireNames(kind, names)
  const seen = await session.tx.documents.find(id)
  if (seen === undefined || !isTask(session, seen)) throw taskNotFound({ id })
  const open = await findRoute(session, seen)
  const task = (await session.tx.documents.findForUpdate(id)) ?? seen
  const isAsked = await isAskedFor(session, task)
  if (!isAsked && !mayHandOver(session, open)) throw notYourTask({ id, principal: session.principal.name })
  if (task.state !== openedState) throw taskOver({ id, state: task.state })
  const node = open?.findNode(textAt(task, 'nt:type') ?? '')
  if (node !== undefined && !isTaskOf(node, task)) throw taskOfNoNode({ id, node: nodeIdOf(node) })
  if (kind === 'reassign' && node?.properties['rnode:allowTaskReassignment'] === false)
    throw notReassignable({ node: nodeIdOf(node) })
  const documents = await (open?.attached() ?? session.tx.documents.findAll(textsAt(task, 'nt:targetDocumentsIds')))
  await requireChooser(session, isAsked ? documents.filter((document) => givesRights(node, document)) : documents)
  const known = await knownAmong(session, given)
  const changed = await storePeople(session.asSystem(), task, { kind, names: given, comment }, known)
  if (open === undefined) return
  open.isChosenHere = true
  if (node !== undefined) await grantOnDocuments(environment, open, node, changed, peopleOf(changed, known))
  open.planRights(open.route.id, (acls) => withParticipants(acls, known))
  await tell(open, changed, { kind, names: given, comment })
  await open.write()
}

/** Who has only the name of somebody who was asked may not even read the task. */
async function isAskedFor(session: WriteSession, task: Document): Promise<boolean> {
  return isActor(session.principal, task) && hasPermission(session, task, 'Read')
}

/** Beside those who are asked: whoever looks after the workflow. */
function mayHandOver(session: WriteSession, open: OpenRoute | undefined): boolean {
  return open === undefined ? isPowerUser(session.principal) : looksAfter(session, open.route)
}

/** Whether having the task gives rights on the document. A version has those of its live document. */
function givesRights(node: Document | undefined, { isVersion }: Document): boolean {
  return node !== undefined && !isVersion && textAt(node, 'rnode:taskAssigneesPermission') !== undefined
}

function requireNames(kind: HandOver['kind'], names: readonly string[]): readonly string[] {
  const parameter = kind === 'reassign' ? 'actors' : 'delegatedActors'
  const bare = names.map((name) => principalIn(storableText(name, `A name in ${parameter}`).trim()))
  const given = [...new Set(bare)].filter((name) => name !== '')
  if (given.length === 0) throw nobodyToAsk({ parameter })
  requireAskable(given)
  return given
}

async function findRoute(session: WriteSession, task: Document): Promise<OpenRoute | undefined> {
  const id = textAt(task, 'nt:processId')
  if (id === undefined || (await session.tx.documents.find(id)) === undefined) return undefined
  return openRoute(session, id)
}

function peopleOf(task: Document, given: ReadonlySet<string>): TaskPeople {
  return { actors: textsAt(task, 'nt:actors'), delegates: textsAt(task, 'nt:delegatedActors'), given }
}

async function storePeople(
  session: WriteSession,
  task: Document,
  { kind, names, comment }: HandOver,
  known: ReadonlySet<string>,
): Promise<Document> {
  const before = peopleOf(task, known)
  const people =
    kind === 'reassign'
      ? { 'nt:actors': names }
      : { 'nt:delegatedActors': [...new Set([...before.delegates.map(principalIn), ...names])] }
  const after = peopleOf({ ...task, properties: { ...task.properties, ...people } }, known)
  requireAskable([...after.actors, ...after.delegates], textsAt(task, 'nt:targetDocumentsIds').length)
  const properties = { ...task.properties, ...people, ...withComment(session, task, comment ?? null) }
  const stored = await store(session, task, { ...task, properties })
  await session.tx.acps.replaceAcls(stored, taskAcls(after, task.acls))
  return stored
}

async function tell(open: OpenRoute, task: Document, { kind, names, comment }: HandOver): Promise<void> {
  const [onDocument, onTask] =
    kind === 'reassign'
      ? ['workflowTaskReassigned', 'afterWorkflowTaskReassigned']
      : ['workflowTaskDelegated', 'afterWorkflowTaskDelegated']
  const more = kind === 'reassign' ? { actors: names } : { delegatedActors: textsAt(task, 'nt:delegatedActors') }
  await tellOnDocuments(open, onDocument, { task, comment: comment ?? null, recipients: names })
  tellOfTask(open, onTask, task, comment ?? null, { actors: textsAt(task, 'nt:actors'), ...more, comment: comment ?? null })
}
