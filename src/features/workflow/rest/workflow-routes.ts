import { isJsonObject, type Json } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { requirePermission } from '../../../core/permissions.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import type { JsonObject } from '../../../model/properties/coercion.ts'
import { type Answer, entity, noContent } from '../../../rest/answer.ts'
import { jsonAnswer } from '../../../rest/openapi/answers.ts'
import { Type } from '../../../rest/openapi/schema.ts'
import { entityBody } from '../../../rest/payload/entity-payload.ts'
import { createRenderContext } from '../../../rest/render/rendering.ts'
import { languageHeaders, renderHeaders, wishesFor, wishNames } from '../../../rest/request/declared-headers.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../../rest/route.ts'
import { cancelWorkflow } from '../instance/cancel-workflow.ts'
import { listModels, listOwnWorkflows } from '../instance/list-workflows.ts'
import { isRoute, listNodes } from '../instance/open-route.ts'
import { childRoutes, readModel, startWorkflow } from '../instance/start-workflow.ts'
import { workflowNotFound } from '../instance/workflow-problems.ts'
import { listTasks } from '../tasks/list-tasks.ts'
import { graphSchema, translator, writeGraph } from './graph-entity.ts'
import { environmentOf, isLegacyFormat } from './request-environment.ts'
import { tasksSchema, writeTasks } from './task-entity.ts'
import { workflowSchema, workflowsSchema, writeWorkflow, writeWorkflows } from './workflow-entity.ts'

export const modelNameMissing = defineProblem(
  'modelNameMissing',
  'invalid',
  (_: object) => 'Say which workflow to start: workflowModelName is missing.',
)

const fetchHeaders = (entityType: 'workflow' | 'task', what: string) => {
  const [name = '', ...others] = wishNames('fetch', entityType)
  const names = Type.Names({ description: `${what}. Also called ${others.join(', ')}` })
  return { [name]: Type.Twin(names, [name, ...others]) }
}

export const workflowHeaders = Type.Object({
  ...fetchHeaders('workflow', '`initiator`, `attachedDocumentIds`: what is shown as an entity'),
  'translate.workflow': wishesFor('translate', 'workflow', '`title`: shown as words, as Accept-Language says, and not as a key'),
  ...renderHeaders,
})

export const taskHeaders = Type.Object({
  ...fetchHeaders('task', '`actors`, `targetDocumentIds`, `workflowInitiator`: what is shown as an entity'),
  'translate.task': wishesFor(
    'translate',
    'task',
    '`name`, `directive`, `workflowTitle`, `taskActions`: what is shown as words, as Accept-Language says, and not as keys',
  ),
  ...renderHeaders,
})

export const workflowBody = entityBody(
  'workflow',
  {
    workflowModelName: Type.Text({ description: 'Which workflow' }),
    attachedDocumentIds: Type.Optional(
      Type.Leniently(Type.Json({ description: 'Ids of documents, or objects with `id` or `uid`' })),
    ),
    variables: Type.Forgiving(Type.Map({ description: 'Values by the names of variables of the workflow' })),
  },
  [{ 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview', attachedDocumentIds: ['6a0e-1111'] }],
)

export const attachedIdMissing = defineProblem(
  'attachedIdMissing',
  'invalid',
  (of: { item: number }) =>
    `Item ${of.item} of attachedDocumentIds names no document. Send the id of each as a string, or as id or uid of an object.`,
)

/** What is no list of ids names nothing: clients send such things and mean nothing by it. @throws attachedIdMissing */
function attachedIds(sent: Json | undefined): readonly string[] {
  if (!Array.isArray(sent)) return []
  return sent.map((one: Json, index) => {
    const id = isJsonObject(one) ? (one['id'] ?? one['uid']) : one
    if (typeof id !== 'string' || id.trim() === '') throw attachedIdMissing({ item: index + 1 })
    return id
  })
}

interface WorkflowPayload {
  readonly workflowModelName?: string | undefined
  readonly attachedDocumentIds?: Json | undefined
  readonly variables?: JsonObject | undefined
}

/** Starts what a body asks for, on its documents or on the one that the address names. */
export async function startFromBody(
  exchange: Exchange,
  { workflowModelName, attachedDocumentIds, variables = {} }: WorkflowPayload,
  target?: (session: Session) => Promise<Document>,
): Promise<Answer> {
  if (workflowModelName === undefined) throw modelNameMissing({})
  const environment = await environmentOf(exchange, variables)
  return exchange.write(async (session) => {
    const ids = target === undefined ? attachedIds(attachedDocumentIds) : [(await target(session)).id]
    const { route } = await startWorkflow(environment, session, {
      modelName: workflowModelName,
      attachedIds: ids,
      variables: { sent: variables, isLegacy: isLegacyFormat(exchange) },
    })
    return entity('workflow', await writeWorkflow(createRenderContext(session, exchange), route), 201)
  })
}

export const startAnswers = {
  201: workflowSchema,
  400: 'the model is not named, an item of `attachedDocumentIds` names no document, or a variable has a value that it cannot have',
  403: 'a document may not be read',
  404: 'there is no such model or document',
}

/** @throws workflowNotFound, also for what is no workflow */
async function findRoute(session: Session, id: string): Promise<Document> {
  const found = await session.reader.documents.find(id)
  if (found === undefined || !isRoute(session, found)) throw workflowNotFound({ id })
  return found
}

async function answerGraph(exchange: Exchange, session: Session, route: Document): Promise<Answer> {
  const { locales } = createRenderContext(session, exchange)
  const translate = translator(exchange.services.workflows.values(), locales)
  return entity('graph', { 'entity-type': 'graph', ...writeGraph(await listNodes(session, route), translate) })
}

const start = defineRoute({
  method: 'POST',
  path: '/workflow',
  under: 'api',
  operationId: 'startWorkflow',
  summary: 'Start a workflow, on documents or on none',
  headers: workflowHeaders,
  body: workflowBody,
  answers: startAnswers,
  handle: async (exchange, _parameters, sent) => startFromBody(exchange, sent.body),
})

const list = defineRoute({
  method: 'GET',
  path: '/workflow',
  under: 'api',
  operationId: 'listWorkflows',
  summary: 'The workflows under way that you have started',
  query: Type.Object({ workflowModelName: Type.Text({ description: 'Only those of this model' }) }),
  headers: workflowHeaders,
  answers: { 200: workflowsSchema },
  handle: (exchange, _parameters, { query }) =>
    exchange.read(async (session) => {
      const routes = await listOwnWorkflows(session, query.workflowModelName)
      return entity('workflows', await writeWorkflows(createRenderContext(session, exchange), routes))
    }),
})

const read = defineRoute({
  method: 'GET',
  path: '/workflow/{id}',
  under: 'api',
  operationId: 'readWorkflow',
  summary: 'A workflow, under way or over',
  headers: workflowHeaders,
  answers: { 200: workflowSchema, 403: 'may not be read', 404: 'there is no such workflow' },
  handle: (exchange, { id = '' }) =>
    exchange.read(async (session) => {
      const route = await findRoute(session, id)
      await requirePermission(session, route, 'Read')
      return entity('workflow', await writeWorkflow(createRenderContext(session, exchange), route))
    }),
})

const cancel = defineRoute({
  method: 'DELETE',
  path: '/workflow/{id}',
  under: 'api',
  operationId: 'cancelWorkflow',
  summary: 'Cancel a workflow; it stays to be looked at until it is cleaned up',
  ignoresBody: true,
  answers: {
    204: 'cancelled',
    403: 'you have neither started it nor look after the server',
    404: 'there is no such workflow',
    409: 'it is over',
  },
  async handle(exchange, { id = '' }) {
    const environment = await environmentOf(exchange)
    await exchange.write((session) => cancelWorkflow(environment, session, id, childRoutes))
    return noContent()
  },
})

/** Shown to whoever knows the id: readers of a document see what is under way on it. */
const graph = defineRoute({
  method: 'GET',
  path: '/workflow/{id}/graph',
  under: 'api',
  operationId: 'readWorkflowGraph',
  summary: 'The nodes of a workflow and where each stands, as a picture shows them',
  headers: languageHeaders,
  answers: { 200: graphSchema, 404: 'there is no such workflow' },
  handle: (exchange, { id = '' }) =>
    exchange.read(async (session) => answerGraph(exchange, session, await findRoute(session, id))),
})

const tasksOf = defineRoute({
  method: 'GET',
  path: '/workflow/{id}/task',
  under: 'api',
  operationId: 'listTasksOfWorkflow',
  summary: 'The open tasks of a workflow that you may read',
  headers: taskHeaders,
  answers: { 200: tasksSchema },
  handle: (exchange, { id = '' }) =>
    exchange.read(async (session) => {
      const page = await listTasks(session, exchange.services, { workflowInstanceId: id })
      return entity('tasks', await writeTasks(createRenderContext(session, exchange), page))
    }),
})

const models = defineRoute({
  method: 'GET',
  path: '/workflowModel',
  under: 'api',
  operationId: 'listWorkflowModels',
  summary: 'The workflows that can be started',
  headers: workflowHeaders,
  answers: { 200: workflowsSchema },
  handle: (exchange) =>
    exchange.read(async (session) =>
      entity('workflows', await writeWorkflows(createRenderContext(session, exchange), await listModels(session))),
    ),
})

const model = defineRoute({
  method: 'GET',
  path: '/workflowModel/{modelId}',
  under: 'api',
  operationId: 'readWorkflowModel',
  summary: 'A workflow that can be started, with what its variables are at first',
  headers: workflowHeaders,
  answers: { 200: workflowSchema, 404: 'there is no such model' },
  handle: (exchange, { modelId: name = '' }) =>
    exchange.read(async (session) =>
      entity('workflow', await writeWorkflow(createRenderContext(session, exchange), await readModel(session, name))),
    ),
})

const modelGraph = defineRoute({
  method: 'GET',
  path: '/workflowModel/{modelId}/graph',
  under: 'api',
  operationId: 'readWorkflowModelGraph',
  summary: 'The nodes of a workflow that can be started, as a picture shows them',
  headers: languageHeaders,
  answers: { 200: jsonAnswer(graphSchema, 'the graph'), 404: 'there is no such model' },
  handle: (exchange, { modelId: name = '' }) =>
    exchange.read(async (session) => answerGraph(exchange, session, await readModel(session, name))),
})

export const workflowRoutes: readonly Route[] = [start, list, read, cancel, graph, tasksOf, models, model, modelGraph]
