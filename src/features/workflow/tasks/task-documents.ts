import { defineProblem } from '../../../base/problem.ts'
import { createDocument } from '../../../core/documents/create-document.ts'
import { nameFrom } from '../../../core/documents/name-in-folder.ts'
import { store } from '../../../core/documents/read-for-update.ts'
import { announce, lifecycleCategory } from '../../../core/event.ts'
import type { Session, WriteSession } from '../../../core/session.ts'
import { requireShortRemark } from '../../../core/short-text.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { Properties } from '../../../model/properties/property.ts'
import { actingName } from '../../../model/rights/principal.ts'
import { storableText } from '../../../store/storable-text.ts'
import { itemsAt, taskRows, textAt } from '../instance/route-documents.ts'
import { type TaskPeople, taskAcls } from '../instance/route-rights.ts'
import { nameIn, standsBelow, taskRoot, tasksPath } from '../instance/route-roots.ts'

// Tasks are documents below /task-root (contract: workflow 1.1 and 1.2).

/** One that stands elsewhere nobody has asked anybody to do. */
export function isTask({ model }: Pick<Session, 'model'>, document: Document): boolean {
  return standsBelow(document, tasksPath) && model.shapeOf(document).hasFacet('Task')
}

/** Whether the task is one of those that the node waits for, or waited for when it was last come to. */
export function isTaskOf(node: Document, task: Document): boolean {
  return taskRows(node).some(({ taskDocId }) => taskDocId === task.id)
}

export const openedState = 'opened'

export interface NewTask {
  readonly type: string
  /** Its name in the folder of tasks. */
  readonly segment: string
  readonly name: string
  readonly people: TaskPeople
  readonly directive: string | null
  readonly description: string | null
  readonly dueDate: string | null
  readonly targets: readonly DocumentId[]
  readonly processId: DocumentId | null
  /** The id of the node. */
  readonly nodeId: string | null
  readonly variables: readonly (readonly [key: string, value: string])[]
  readonly comment?: string | undefined
}

// A number may come behind it.
const longestSegment = 200

/** Makes a task, which its actors may read and complete. Acts for the server. */
export async function createTask(session: WriteSession, task: NewTask): Promise<Document> {
  const parent = await taskRoot(session)
  const author = actingName(session.principal)
  const properties: Properties = {
    'dc:title': task.name,
    'dc:description': task.description,
    'nt:name': task.name,
    'nt:type': task.nodeId,
    'nt:processId': task.processId,
    'nt:actors': task.people.actors,
    'nt:initiator': author,
    'nt:targetDocumentsIds': task.targets,
    'nt:directive': task.directive,
    'nt:dueDate': task.dueDate,
    'nt:task_variables': task.variables.map(([key, value]) => ({ key, value })),
    ...(task.comment !== undefined && { 'nt:taskComments': [commentOf(session, task.comment)] }),
  }
  const name = await nameIn(session, parent, nameFrom(task.segment, longestSegment))
  // That the name is free was just looked up.
  const options = { destinationCheck: false }
  return createDocument(session, { parent, type: task.type, name, acls: taskAcls(task.people), properties, options })
}

export const remarksTooLong = defineProblem(
  'remarksTooLong',
  'invalid',
  (of: { max: number }) =>
    `The remarks on the task would have more than ${of.max} characters in all. Leave the remark out, or comment on the document.`,
)

const maxRemarks = 100_000

/** The task with a remark more. @throws textTooLong, remarksTooLong, unstorableText */
export function withComment(session: WriteSession, task: Document, text: string | null): Properties {
  if (text !== null) storableText(text, 'The comment')
  const comments = [...itemsAt(task, 'nt:taskComments'), commentOf(session, text)]
  const length = comments.reduce((sum, properties) => sum + (textAt({ properties }, 'text')?.length ?? 0), 0)
  if (text !== null && length > maxRemarks) throw remarksTooLong({ max: maxRemarks })
  return { 'nt:taskComments': comments }
}

function commentOf(session: WriteSession, text: string | null) {
  return {
    author: actingName(session.principal),
    text: text === null ? null : requireShortRemark(text),
    creationDate: session.now,
  }
}

export function withTaskVariable(task: Document, key: string, value: string): Properties {
  return { 'nt:task_variables': [...itemsAt(task, 'nt:task_variables'), { key, value }] }
}

export function taskVariable(task: Document, key: string): string | undefined {
  const found = itemsAt(task, 'nt:task_variables').find((item) => item['key'] === key)
  return found && textAt({ properties: found }, 'value')
}

const transitions = { ended: 'end', cancelled: 'cancel' } as const

/** Closes an open task, whose row is locked, and tells of it as of every change of state. */
export async function closeTask(
  session: WriteSession,
  task: Document,
  state: 'ended' | 'cancelled',
  changes: Properties = {},
): Promise<Document> {
  const properties = {
    ...task.properties,
    ...changes,
    'dc:modified': session.now,
    'dc:lastContributor': actingName(session.principal),
  }
  const closed = await store(session, task, { ...task, state, properties })
  await announce(session, 'lifecycle_transition_event', closed, {
    category: lifecycleCategory,
    properties: { from: task.state, to: state, transition: transitions[state] },
    // Who closed it, and when, was stored with it.
    options: { dublincore: false },
  })
  return closed
}
