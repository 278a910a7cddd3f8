import type { Json } from '../../base/json.ts'
import { isJsonObject } from '../../base/json.ts'
import { systemAccess } from '../../core/access.ts'
import { store } from '../../core/documents/read-for-update.ts'
import { removeDocument } from '../../core/documents/remove-document.ts'
import type { JobHandler } from '../../core/jobs/worker.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { InlineListener, Repository, ServerListener, Session, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { everyPage } from './every-page.ts'
import { isRoute } from './instance/open-route.ts'
import { attachedIdsOf, itemsAt, taskRows, textAt, textsAt, withTaskRows } from './instance/route-documents.ts'
import { withoutTaskRights } from './instance/route-rights.ts'
import { isTask, openedState, taskVariable } from './tasks/task-documents.ts'

// What becomes of workflows and tasks when documents go, and what goes with workflows and tasks (contract: workflow 12).

const tidyKind = 'workflow.tidyInstances'
const tasksKind = 'workflow.removeTasks'
const idsAtOnce = 200
const openTasks = ["ecm:mixinType = 'Task'", `ecm:currentLifeCycleState = ${quoted(openedState)}`]

async function find(session: Session, text: string): Promise<readonly Document[]> {
  return (await searchDocuments(session, compile(session, text), { offset: 0 })).documents
}

/** Looks at what goes before it is gone, all that is below it included. */
export const beforeRemoval: InlineListener = {
  name: 'workflowsOfRemoved',
  when: 'inline',
  events: ['aboutToRemove', 'aboutToRemoveVersion'],
  async handle({ document }, session) {
    const system = session.asSystem()
    if (isTask(system, document)) await letGoOfTask(system, document)
    if (isRoute(system, document)) await orderFor(system, tasksKind, [document])
    if (document.path !== null) await letGoBelow(system, document.path)
    await letGoOfTargets(system, document)
  },
}

/** Versions go a while after their document, unless a proxy or a hold keeps them, and are what tasks and workflows may be about, too. */
export const afterVersions: ServerListener = {
  name: 'workflowsOfRemovedVersions',
  events: ['orphanVersionsRemoved'],
  async handle({ properties: { ids } }, session) {
    const removed = Array.isArray(ids) ? ids.map(String) : []
    for (let start = 0; start < removed.length; start += idsAtOnce)
      await letGoOfVersions(session, removed.slice(start, start + idsAtOnce))
  },
}

async function letGoOfVersions(session: WriteSession, ids: readonly DocumentId[]): Promise<void> {
  const naming = (property: string) => `${property}/* IN (${ids.map(quoted).join(', ')})`
  for await (const tasks of everyPage(session, 'Document', [...openTasks, naming('nt:targetDocumentsIds')]))
    for (const task of tasks) if (isTask(session, task)) await letGoOfTarget(session, task.id)
  for await (const routes of everyPage(session, 'DocumentRoute', [naming('docri:participatingDocuments')]))
    await orderFor(session, tidyKind, routes)
}

async function letGoBelow(session: WriteSession, path: string): Promise<void> {
  const below = `ecm:path STARTSWITH ${quoted(path)}`
  for await (const tasks of everyPage(session, 'Document', [...openTasks, below]))
    for (const task of tasks) if (isTask(session, task)) await letGoOfTask(session, task)
  for await (const routes of everyPage(session, 'DocumentRoute', [below])) await orderFor(session, tasksKind, routes)
}

async function orderFor({ tx }: WriteSession, kind: string, routes: readonly Document[]): Promise<void> {
  for (let start = 0; start < routes.length; start += idsAtOnce)
    await tx.jobs.add(kind, { routes: routes.slice(start, start + idsAtOnce).map(({ id }) => id) })
}

/**
 * Open tasks about documents that go are removed with them, unless they are about others, too; their instances are seen to afterwards.
 * The database finds them by what they name: most folders hold thousands of documents of which none is in a workflow.
 */
async function letGoOfTargets(session: WriteSession, removed: Document): Promise<void> {
  const { documents } = session.tx
  for (const task of await documents.listNaming('nt:targetDocumentsIds', removed)) {
    const isOpen = isTask(session, task) && task.state === openedState
    if (isOpen && task.id !== removed.id && !isBelow(task, removed)) await letGoOfTarget(session, task.id, removed)
  }
  const routes = await documents.listNaming('docri:participatingDocuments', removed)
  await orderFor(session, tidyKind, routes)
}

/** Without a task its node would wait for ever, and nobody could go on with the documents that are left. */
async function letGoOfTarget(session: WriteSession, taskId: DocumentId, removed?: Document): Promise<void> {
  const task = await session.tx.documents.findForUpdate(taskId)
  if (task?.state !== openedState) return
  const left = await listTargetsLeft(session, task, removed)
  const [first] = left
  if (first === undefined) return removeDocument(session, taskId)
  const variables = itemsAt(task, 'nt:task_variables').map((item) =>
    item['key'] === 'documentId' && !left.includes(String(item['value'])) ? { ...item, value: first } : item,
  )
  const properties = { ...task.properties, 'nt:targetDocumentsIds': left, 'nt:task_variables': variables }
  await store(session, task, { ...task, properties })
}

/** @param removed what goes, where it is not gone yet */
async function listTargetsLeft({ tx }: WriteSession, task: Document, removed?: Document): Promise<readonly DocumentId[]> {
  const targets = await tx.documents.findAll(textsAt(task, 'nt:targetDocumentsIds'))
  const goes = (target: Document) => removed !== undefined && (target.id === removed.id || isBelow(target, removed))
  return targets.filter((target) => !goes(target)).map(({ id }) => id)
}

function isBelow({ path }: Document, removed: Document): boolean {
  return path !== null && removed.path !== null && path.startsWith(`${removed.path}/`)
}

/** A task that goes takes the rights with it that it gave, and its row at the node. */
async function letGoOfTask(session: WriteSession, task: Document): Promise<void> {
  if (task.state !== openedState) return
  for (const id of textsAt(task, 'nt:targetDocumentsIds')) {
    const document = await session.tx.documents.findForUpdate(id)
    if (document === undefined) continue
    const acls = withoutTaskRights(document.acls, task.id)
    if (acls.length < document.acls.length) await session.tx.acps.replaceAcls(document, acls)
  }
  const node = await session.tx.documents.findForUpdate(taskVariable(task, 'document.routing.step') ?? '')
  if (node === undefined) return
  await store(
    session,
    node,
    withTaskRows(
      node,
      taskRows(node).filter(({ taskDocId }) => taskDocId !== task.id),
    ),
  )
}

function routesIn(payload: Json): readonly DocumentId[] {
  const routes = isJsonObject(payload) ? payload['routes'] : []
  return Array.isArray(routes) ? routes.map(String) : []
}

/** Takes documents that are gone out of instances; one that has none left is removed. */
async function tidyInstances(payload: Json, repository: Repository): Promise<void> {
  for (const id of routesIn(payload)) {
    await systemAccess(repository).write(async (session) => {
      const route = await session.tx.documents.findForUpdate(id)
      if (route === undefined || !isRoute(session, route)) return
      const attached = attachedIdsOf(route)
      const there = new Set((await session.tx.documents.findAll(attached)).map((document) => document.id))
      const left = attached.filter((one) => there.has(one))
      if (left.length === attached.length) return
      if (left.length === 0) return removeDocument(session, id)
      await store(session, route, { ...route, properties: { ...route.properties, 'docri:participatingDocuments': left } })
    })
  }
}

async function removeTasks(payload: Json, repository: Repository): Promise<void> {
  for (const id of routesIn(payload)) await removeTasksOf(repository, id)
}

async function removeTasksOf(repository: Repository, routeId: DocumentId): Promise<void> {
  await systemAccess(repository).write(async (session) => {
    const tasks = await find(session, `SELECT * FROM Document WHERE ecm:mixinType = 'Task' AND nt:processId = ${quoted(routeId)}`)
    for (const task of tasks) if (isTask(session, task)) await removeDocument(session, task.id)
  })
}

export const removalJobs: readonly JobHandler[] = [
  { kind: tidyKind, isBulk: true, run: tidyInstances },
  { kind: tasksKind, isBulk: true, run: removeTasks },
]

/** Removes an instance that is over; its tasks follow. */
export async function removeInstance(session: WriteSession, id: DocumentId): Promise<void> {
  const route = await session.tx.documents.find(id)
  if (route === undefined || !isRoute(session, route) || textAt(route, 'docri:modelId') === undefined) return
  await removeDocument(session, id)
}
