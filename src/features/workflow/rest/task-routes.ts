import { defineProblem } from '../../../base/problem.ts'
import type { Session } from '../../../core/session.ts'
import type { JsonObject } from '../../../model/properties/coercion.ts'
import { type Answer, entity, noContent } from '../../../rest/answer.ts'
import { emptyAnswer } from '../../../rest/openapi/answers.ts'
import { Type } from '../../../rest/openapi/schema.ts'
import { entityBody } from '../../../rest/payload/entity-payload.ts'
import { createRenderContext } from '../../../rest/render/rendering.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import { numberParameter } from '../../../rest/request/paging.ts'
import { defineRoute, type Route } from '../../../rest/route.ts'
import { completeTask } from '../tasks/complete-task.ts'
import { type HandOver, handOverTask } from '../tasks/hand-over-task.ts'
import { listTasks } from '../tasks/list-tasks.ts'
import { readTask } from '../tasks/task-access.ts'
import { environmentOf, isLegacyFormat } from './request-environment.ts'
import { taskSchema, tasksSchema, writeCompletedTask, writeTask, writeTasks } from './task-entity.ts'
import { taskHeaders } from './workflow-routes.ts'

export const otherTaskSent = defineProblem(
  'otherTaskSent',
  'invalid',
  (of: { sent: string; id: string }) =>
    `The body is about the task ${of.sent.slice(0, 100)}, the address about ${of.id}. Send the same id or none.`,
)

/** Which tasks a client wants. */
export const taskFilterQuery = {
  userId: Type.Text({ description: 'Tasks for this user, also by groups; of any other id just that' }),
  workflowInstanceId: Type.Text({ description: 'Tasks of this workflow' }),
  workflowModelName: Type.Text({ description: 'Tasks of workflows of this model; the list is then not paged' }),
}

const list = defineRoute({
  method: 'GET',
  path: '/task',
  under: 'api',
  operationId: 'listTasks',
  summary: 'Open tasks that you may read, those that are due first before others',
  query: Type.Object({
    ...taskFilterQuery,
    isPaginated: Type.Switch({ description: 'A page instead of all; so do the three that follow' }),
    currentPageIndex: numberParameter('Page, counted from 0'),
    pageSize: numberParameter('Entries a page, 50 unless told'),
    offset: numberParameter('First entry, instead of a page'),
    maxResults: numberParameter('A number, which is not heeded here'),
  }),
  headers: taskHeaders,
  answers: { 200: tasksSchema, 400: 'a number that is none' },
  handle: (exchange, _parameters, { query }) =>
    exchange.read(async (session) => {
      const { userId, workflowInstanceId, workflowModelName, isPaginated = false } = query
      const { pageSize, currentPageIndex: pageIndex, offset } = query
      const request = {
        ...(pageSize !== undefined && { pageSize }),
        ...(pageIndex !== undefined && { pageIndex }),
        ...(offset !== undefined && { offset }),
      }
      const isPaged = isPaginated || Object.keys(request).length > 0
      const filter = { userId, workflowInstanceId, workflowModelName }
      const page = await listTasks(session, exchange.services, filter, isPaged ? request : undefined)
      return entity('tasks', await writeTasks(createRenderContext(session, exchange), page))
    }),
})

const read = defineRoute({
  method: 'GET',
  path: '/task/{id}',
  under: 'api',
  operationId: 'readTask',
  summary: 'A task, open or not',
  headers: taskHeaders,
  answers: { 200: taskSchema, 403: 'may not be read', 404: 'there is no such task' },
  handle: (exchange, { id = '' }) =>
    exchange.read(async (session) =>
      entity('task', await writeTask(createRenderContext(session, exchange), await readTask(session, id))),
    ),
})

/** What completes a task. Clients send the whole entity back; nothing else of it is read. */
export const taskBody = entityBody(
  'task',
  {
    id: Type.Text({ description: 'That of the address, or none' }),
    comment: Type.Text({ description: 'A remark on the task' }),
    variables: Type.Forgiving(
      Type.Map({ description: 'Values by the names of variables of the node, and of those that it exposes' }),
    ),
  },
  [{ 'entity-type': 'task', comment: 'looks fine', variables: {} }],
)

export interface TaskPayload {
  readonly id?: string | undefined
  readonly comment?: string | undefined
  readonly variables?: JsonObject | undefined
}

export const completionAnswers = {
  200: taskSchema,
  400: 'a value that a variable cannot have, or an action after which the workflow cannot go on',
  403: 'the task is not yours',
  404: 'there is no such task',
  409: 'it is ended or cancelled already',
}

/** `check` looks at the document that the address names before the task. */
export async function completeFromBody(
  exchange: Exchange,
  { id, action, body }: { readonly id: string; readonly action: string; readonly body: TaskPayload },
  check: (session: Session) => Promise<unknown> = async () => undefined,
): Promise<Answer> {
  const { variables = {}, comment } = body
  if (body.id !== undefined && body.id !== id) throw otherTaskSent({ sent: body.id, id })
  const environment = await environmentOf(exchange, variables)
  return exchange.write(async (session) => {
    await check(session)
    const isLegacy = isLegacyFormat(exchange)
    const completed = await completeTask(environment, session, id, { action, comment, variables, isLegacy })
    return entity('task', await writeCompletedTask(createRenderContext(session, exchange), session, completed))
  })
}

const complete = defineRoute({
  method: 'PUT',
  path: '/task/{id}/{action}',
  under: 'api',
  operationId: 'completeTask',
  summary: 'Complete a task with one of its actions',
  headers: taskHeaders,
  body: taskBody,
  answers: completionAnswers,
  handle: async (exchange, { id = '', action = '' }, sent) => completeFromBody(exchange, { id, action, body: sent.body }),
})

const handOverAnswers = {
  200: emptyAnswer('done'),
  400: 'nobody is named',
  403: 'the task is not yours to give away, or not to be given away',
  404: 'there is no such task',
  409: 'it is ended or cancelled already',
}

const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

async function handOver(exchange: Exchange, id: string, given: HandOver): Promise<Answer> {
  await exchange.write((session) => handOverTask(exchange, session, id, given))
  return noContent(200)
}

const reassign = defineRoute({
  method: 'PUT',
  path: '/task/{id}/reassign',
  under: 'api',
  operationId: 'reassignTask',
  summary: 'Give a task to others',
  ignoresBody: true,
  query: Type.Object({
    actors: names('Users and groups who are to do it instead, once for each'),
    comment: Type.Text({ description: 'A remark on the task' }),
  }),
  answers: handOverAnswers,
  handle: (exchange, { id = '' }, { query }) =>
    handOver(exchange, id, { kind: 'reassign', names: query.actors ?? [], comment: query.comment }),
})

const delegate = defineRoute({
  method: 'PUT',
  path: '/task/{id}/delegate',
  under: 'api',
  operationId: 'delegateTask',
  summary: 'Let others do a task as well',
  ignoresBody: true,
  query: Type.Object({
    delegatedActors: names('Users and groups who may do it too, once for each'),
    comment: Type.Text({ description: 'A remark on the task' }),
  }),
  answers: handOverAnswers,
  handle: (exchange, { id = '' }, { query }) =>
    handOver(exchange, id, { kind: 'delegate', names: query.delegatedActors ?? [], comment: query.comment }),
})

export const taskRoutes: readonly Route[] = [list, read, reassign, delegate, complete]
