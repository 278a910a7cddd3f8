import { announce, type EventDetails } from '../../../core/event.ts'
import type { Session, WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { actingName } from '../../../model/rights/principal.ts'
import type { PropertyDefinition } from '../../../model/shape.ts'
import type { OpenRoute } from './open-route.ts'
import { initiatorOf, modelNameOf, nodeIdOf, textAt, textsAt } from './route-documents.ts'
import { nodeVariables, workflowVariables } from './variables.ts'

// What workflows tell listeners and the audit log (contract: workflow 11).

const routing = 'Routing'

/** Nobody listens to these as a rule, and the rows would have to be written before each. */
const quietEvents: ReadonlySet<string> = new Set(['beforeRouteReady', 'afterRouteReady', 'beforeRouteStart', 'afterRouteFinish'])

/** Tells of the instance, with what everybody wants to know of it. */
export async function tellOfRoute(open: OpenRoute, name: string, more: EventDetails['properties'] = {}): Promise<void> {
  if (quietEvents.has(name)) {
    if (!isHeard(open.session, name)) return
    await open.write()
    return announce(open.session, name, open.route, { category: routing })
  }
  const properties = { ...aboutRoute(open.session, open.route), ...more }
  open.tell(() => announce(open.session, name, open.route, { category: routing, properties }))
}

function isHeard({ repository: { listeners } }: WriteSession, name: string): boolean {
  return [listeners.inline(name), listeners.afterCommit(name), listeners.asynchronous(name)].some((some) => some.length > 0)
}

function aboutRoute(session: Session, route: Document): { readonly [name: string]: unknown } {
  return {
    modelId: textAt(route, 'docri:modelId') ?? null,
    modelName: modelNameOf(route),
    workflowInitiator: initiatorOf(route) ?? null,
    workflowVariables: valuesOf(route, workflowVariables(session.model, route)),
  }
}

function valuesOf(document: Document, variables: readonly PropertyDefinition[]): { readonly [name: string]: unknown } {
  return Object.fromEntries(variables.map(({ name, field }) => [field.name, document.properties[name] ?? null]))
}

/** Milliseconds since the instance was started. */
export function timeSince({ now }: Session, { properties }: Document): { readonly millis?: number } {
  const created = properties['dc:created']
  return typeof created === 'string' ? { millis: Date.parse(now) - Date.parse(created) } : {}
}

/** Tells of a task of the instance. */
export function tellOfTask(open: OpenRoute, name: string, task: Document, comment: string | null, more: object = {}): void {
  const { session, route } = open
  const node = open.findNode(textAt(task, 'nt:type') ?? '')
  const [whole, own] = [timeSince(session, route).millis, timeSince(session, task).millis]
  const properties = {
    ...aboutRoute(session, route),
    taskName: textAt(task, 'nt:name') ?? null,
    taskActor: actingName(session.principal),
    nodeVariables: node === undefined ? {} : valuesOf(node, nodeVariables(session.model, node)),
    ...(whole !== undefined && { timeSinceWfStarted: whole }),
    ...(name !== 'afterWorkflowTaskCreated' && own !== undefined && { timeSinceTaskStarted: own }),
    ...more,
  }
  open.tell(() => announce(session, name, task, { category: routing, comment, properties }))
}

/** What is told of a task on each of the documents that it is about; whoever sends mail listens to it. */
export interface TaskNews {
  readonly task: Document
  readonly comment?: string | null
  /** Whom it concerns, with `user:` or `group:` before names that had it. */
  readonly recipients: readonly string[]
  readonly more?: { readonly [name: string]: unknown }
}

/** The event that tells of a task on a document. */
export function taskNewsDetails(open: OpenRoute, { task, comment = null, recipients, more = {} }: TaskNews): EventDetails {
  const node = open.findNode(textAt(task, 'nt:type') ?? '')
  const template = node === undefined ? undefined : textAt(node, 'rnode:taskNotificationTemplate')
  return {
    comment,
    properties: {
      directive: textAt(task, 'nt:directive') ?? null,
      dueDate: task.properties['nt:dueDate'] ?? null,
      taskId: task.id,
      taskName: textAt(task, 'nt:name') ?? null,
      nodeId: node === undefined ? null : nodeIdOf(node),
      workflowInstanceId: open.route.id,
      recipients: [...recipients],
      isChosenHere: open.isChosenHere,
      // Absent: nobody is to be sent a mail.
      ...(template !== undefined && { taskNotificationTemplate: template }),
      ...more,
    },
  }
}

/** Tells of a task on each attached document that is there. */
export async function tellOnDocuments(open: OpenRoute, name: string, news: TaskNews): Promise<void> {
  const ids = new Set(textsAt(news.task, 'nt:targetDocumentsIds'))
  const documents = (await open.attached()).filter(({ id }) => ids.has(id))
  const details = taskNewsDetails(open, news)
  for (const document of documents) open.tell(() => announce(open.session, name, document, details))
}
