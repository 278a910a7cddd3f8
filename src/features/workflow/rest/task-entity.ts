import { roughSize } from '../../../base/json.ts'
import { findReadable } from '../../../core/documents/read-document.ts'
import { parsePrincipalReference } from '../../../core/references.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import { writeDocument } from '../../../rest/render/document-entity.ts'
import { olderPlaceFields, placeFields, writeOlderPlace, writePlace } from '../../../rest/render/page-fields.ts'
import type { EntityWriter, RenderContext } from '../../../rest/render/rendering.ts'
import { findOpenRoute, isRoute } from '../instance/open-route.ts'
import { holds } from '../instance/route-context.ts'
import { buttonsOf, initiatorOf, itemsAt, modelNameOf, textAt, textsAt } from '../instance/route-documents.ts'
import { exposedVariables, nodeVariables } from '../instance/variables.ts'
import { type TaskPage, tasksAtOnce } from '../tasks/list-tasks.ts'
import { isTask, isTaskOf, openedState, taskVariable } from '../tasks/task-documents.ts'
import { translateWished } from './graph-entity.ts'
import { readingEnvironment } from './request-environment.ts'
import { entityOrId, userOrName, variablesSchema, writeUser, writeVariables } from './workflow-entity.ts'

const actionSchema = Type.Object({
  name: Type.String(),
  url: Type.String({ description: 'Where to PUT the task to complete it so' }),
  label: Type.Nullable(Type.String()),
  validate: Type.Boolean(),
})

const namedUrl = Type.Object({ name: Type.String(), url: Type.String() })

export const taskSchema = Type.Object(
  {
    'entity-type': Type.Literal('task'),
    id: Type.String(),
    name: Type.Nullable(Type.String()),
    workflowInstanceId: Type.Nullable(Type.String()),
    workflowModelName: Type.Optional(Type.String()),
    workflowInitiator: Type.Optional(userOrName('The user with `fetch.task: workflowInitiator`')),
    workflowTitle: Type.Optional(Type.Nullable(Type.String())),
    workflowLifeCycleState: Type.Optional(Type.String()),
    graphResource: Type.Optional(Type.String()),
    state: Type.String({ description: 'opened, ended or cancelled' }),
    directive: Type.Nullable(Type.String()),
    created: Type.Nullable(Type.Moment()),
    dueDate: Type.Nullable(Type.Moment()),
    nodeName: Type.Nullable(Type.String()),
    targetDocumentIds: Type.Array(entityOrId('With `fetch.task: targetDocumentIds` the document')),
    actors: Type.Array(entityOrId('With `fetch.task: actors` the user or group')),
    delegatedActors: Type.Array(entityOrId('With `fetch.task: actors` the user or group')),
    comments: Type.Array(
      Type.Object({
        author: Type.Nullable(Type.String()),
        text: Type.Nullable(Type.String()),
        date: Type.Nullable(Type.Moment()),
      }),
    ),
    variables: variablesSchema,
    taskInfo: Type.Optional(
      Type.Object({
        allowTaskReassignment: Type.Boolean(),
        taskActions: Type.Array(actionSchema),
        layoutResource: namedUrl,
        schemas: Type.Array(namedUrl),
      }),
    ),
  },
  { $id: 'Task' },
)

export const tasksSchema = Type.Object(
  { 'entity-type': Type.Literal('tasks'), ...placeFields, ...olderPlaceFields, entries: Type.Array(taskSchema) },
  { $id: 'Tasks' },
)

export type TaskEntity = Static<typeof taskSchema>

/** What tasks show of the workflows and nodes that they belong to, read with one statement for some of them. */
type Surroundings = ReadonlyMap<DocumentId, Document>

async function surroundingsOf({ session }: RenderContext, tasks: readonly Document[]): Promise<Surroundings> {
  const ids = new Set(
    tasks.flatMap((task) => [textAt(task, 'nt:processId') ?? [], taskVariable(task, 'document.routing.step') ?? []].flat()),
  )
  const found = ids.size === 0 ? [] : await session.reader.documents.findAll([...ids])
  return new Map(found.map((document) => [document.id, document]))
}

/** The same of a task that was just completed: its workflow is at hand, if it has one. */
function surroundingsAtHand(session: WriteSession, task: Document): Surroundings | undefined {
  const open = findOpenRoute(session, textAt(task, 'nt:processId') ?? '')
  return open && new Map([open.route, ...open.nodes].map((document) => [document.id, document]))
}

/** The workflow and the node of a task: where an open one is not waited for, it tells of none. */
function belongingOf({ session }: RenderContext, task: Document, around: Surroundings) {
  const route = around.get(textAt(task, 'nt:processId') ?? '')
  if (route === undefined || !isTask(session, task) || !isRoute(session, route)) return { route: undefined, node: undefined }
  const found = around.get(taskVariable(task, 'document.routing.step') ?? '')
  const node = found?.parentId === route.id ? found : undefined
  const isForeign = node !== undefined && task.state === openedState && !isTaskOf(node, task)
  return isForeign ? { route: undefined, node: undefined } : { route, node }
}

/**
 * Whoever may read a task is told of its workflow, too, although they may not read that (contract: workflow 3.2). A task is no document
 * and takes no level of depth: `inside` is given where it is itself shown inside of one.
 */
export async function writeTask(
  context: RenderContext,
  task: Document,
  inside: RenderContext = context,
  known?: Surroundings,
): Promise<TaskEntity> {
  const processId = textAt(task, 'nt:processId')
  const { route, node } = belongingOf(context, task, known ?? (await surroundingsOf(context, [task])))
  const fetch = context.fetch('task')
  const inWords = translateWished(context, 'task')
  context.budget.spendEntity(task.properties)
  return {
    'entity-type': 'task',
    id: task.id,
    name: inWords('name', textAt(task, 'nt:name') ?? null),
    workflowInstanceId: processId ?? null,
    ...(route === undefined ? {} : await writeOwner(context, route, fetch.includes('workflowInitiator'))),
    state: task.state,
    directive: inWords('directive', textAt(task, 'nt:directive') ?? null),
    created: textAt(task, 'dc:created') ?? null,
    dueDate: textAt(task, 'nt:dueDate') ?? null,
    nodeName: textAt(task, 'nt:type') ?? null,
    targetDocumentIds: await writeTargets(inside, textsAt(task, 'nt:targetDocumentsIds'), fetch.includes('targetDocumentIds')),
    actors: await writeActors(context, textsAt(task, 'nt:actors'), fetch.includes('actors')),
    delegatedActors: await writeActors(context, textsAt(task, 'nt:delegatedActors'), fetch.includes('actors')),
    comments: itemsAt(task, 'nt:taskComments').map((properties) => ({
      author: textAt({ properties }, 'author') ?? null,
      text: typeof properties['text'] === 'string' ? properties['text'] : null,
      date: textAt({ properties }, 'creationDate') ?? null,
    })),
    variables: node === undefined || route === undefined ? {} : await writeFormVariables(context, route, node),
    ...(node === undefined || route === undefined ? {} : { taskInfo: await writeInfo(context, task, route, node) }),
  }
}

/** What the task of a transaction is that has written all that its completion led to. */
export function writeCompletedTask(context: RenderContext, session: WriteSession, task: Document): Promise<TaskEntity> {
  return writeTask(context, task, context, surroundingsAtHand(session, task))
}

/** Those of the node, and those of the workflow that it exposes. Others have filled them, as far as they may. */
async function writeFormVariables(context: RenderContext, route: Document, node: Document) {
  const { model } = context.session
  const variables = {
    ...(await writeVariables(context, node, nodeVariables(model, node))),
    ...(await writeVariables(context, route, exposedVariables(model, route, node))),
  }
  context.budget.spend(roughSize(variables))
  return variables
}

async function writeOwner(context: RenderContext, route: Document, isFetched: boolean) {
  return {
    workflowModelName: modelNameOf(route),
    workflowInitiator: await writeUser(context, initiatorOf(route), isFetched),
    workflowTitle: translateWished(context, 'task')('workflowTitle', textAt(route, 'dc:title') ?? null),
    workflowLifeCycleState: route.state,
    graphResource: `${context.request.baseUrl}api/v1/workflow/${route.id}/graph`,
  }
}

/** Those that are gone, or that the caller may not read, are left out. */
async function writeTargets(context: RenderContext, ids: readonly string[], isFetched: boolean) {
  const entries: { readonly id?: string; readonly uid?: string }[] = []
  for (const id of ids) {
    const document = await findReadable(context.session, id)
    if (document === undefined) continue
    entries.push(isFetched ? await writeDocument(context, document) : { id })
  }
  return entries
}

async function writeActors(context: RenderContext, names: readonly string[], isFetched: boolean) {
  if (!isFetched) return names.map((id) => ({ id }))
  const entries: { readonly id?: string; readonly uid?: string }[] = []
  for (const id of names) entries.push((await writePrincipal(context, id)) ?? { id })
  return entries
}

async function writePrincipal(context: RenderContext, text: string): Promise<object | undefined> {
  const { entityWriters } = context.rendering
  const { kind, name } = parsePrincipalReference(text)
  for (const type of kind === 'any' ? ['user', 'group'] : [kind]) {
    const written = await entityWriters.get(type)?.write(context.nested(), name)
    if (written !== undefined) return written
  }
  return undefined
}

async function writeInfo(context: RenderContext, task: Document, route: Document, node: Document) {
  const { baseUrl } = context.request
  const layout = textAt(node, 'rnode:taskLayout') ?? ''
  const { schemas } = context.session.model.shapeOf(node)
  return {
    allowTaskReassignment: node.properties['rnode:allowTaskReassignment'] !== false,
    taskActions: await writeActions(context, { task, route, node }),
    layoutResource: { name: layout, url: `${baseUrl}site/layout-manager/layouts/?layoutName=${encodeURI(layout)}` },
    schemas: schemas.map(({ name }) => ({ name, url: `${baseUrl}api/v1/config/schemas/${encodeURIComponent(name)}` })),
  }
}

interface Shown {
  readonly task: Document
  readonly route: Document
  readonly node: Document
}

/** The buttons that are offered to the caller. */
async function writeActions(context: RenderContext, { task, route, node }: Shown) {
  const { session, request } = context
  const inWords = translateWished(context, 'task')
  const offered: Static<typeof actionSchema>[] = []
  for (const { name, label, filter, validate } of buttonsOf(node)) {
    if (filter !== undefined) {
      const documents = await session.reader.documents.findAll(textsAt(route, 'docri:participatingDocuments'))
      const scope = { session, route, documents }
      if (!(await holds(readingEnvironment(context), scope, { node, nodeState: node.state }, filter))) continue
    }
    const url = `${request.baseUrl}api/v1/task/${task.id}/${encodeURIComponent(name)}`
    offered.push({ name, url, label: inWords('taskActions', label), validate })
  }
  return offered
}

export async function writeTaskEntries(
  context: RenderContext,
  tasks: readonly Document[],
  inside?: RenderContext,
): Promise<readonly TaskEntity[]> {
  const entries: TaskEntity[] = []
  for (let start = 0; start < tasks.length; start += tasksAtOnce) {
    const some = tasks.slice(start, start + tasksAtOnce)
    const around = await surroundingsOf(context, some)
    for (const task of some) {
      entries.push(await writeTask(context, task, inside, around))
      const resting = context.budget.rest()
      if (resting !== undefined) await resting
    }
  }
  return entries
}

export async function writeTasks(context: RenderContext, { tasks, page }: TaskPage): Promise<Static<typeof tasksSchema>> {
  const entries = await writeTaskEntries(context, tasks)
  return { 'entity-type': 'tasks', ...writePlace(page), ...writeOlderPlace(page), entries }
}

export const taskWriter: EntityWriter = {
  entityType: 'task',
  schema: taskSchema,
  write: async (context, value) => writeTask(context, value as Document),
}
